"""A progressive income tax, bracket by bracket."""


def tax(income, children):
    income = income - 2000.0 * children
    if income <= 10_000.0:
        owed = 0.0
    elif income <= 40_000.0:
        owed = 0.2 * (income - 10_000.0)
    elif income <= 100_000.0:
        owed = 6_000.0 + 0.3 * (income - 40_000.0)
    else:
        owed = 24_000.0 + 0.45 * (income - 100_000.0)
    return owed


def main():
    for income in (9_000.0, 30_000.0, 75_000.0, 250_000.0):
        print(tax(income, 1.0))


if __name__ == "__main__":
    main()
