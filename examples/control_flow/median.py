"""The median of five measurements."""


def median(a, b, c, d, e):
    return sorted([a, b, c, d, e])[2]


def main():
    print(median(3.0, -1.0, 2.5, 9.0, 2.0))


if __name__ == "__main__":
    main()
