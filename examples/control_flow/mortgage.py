"""A loan of five years with prepayments: what is paid in interest until it is gone."""


def interest_paid(loan, rate, payment, extra):
    owed, paid = loan, 0.0
    for month in range(1, 61):
        interest = owed * rate / 12.0
        paid += interest
        if owed + interest <= payment:
            break
        owed += interest - payment
        if month % 12 == 0 and owed > 0.2 * loan:
            owed -= min(extra, owed)
            if owed <= 0.0:
                break
    else:
        paid += owed * 0.01  # a fee for what is left
    return paid


def main():
    for extra in (0.0, 10_000.0, 40_000.0):
        print(interest_paid(100_000.0, 0.04, 1_500.0, extra))


if __name__ == "__main__":
    main()
