"""A number, kept between two others."""


def clamp(x, low, high):
    if low > high:
        low, high = high, low
    if x < low:
        return low
    if x > high:
        return high
    return x


def main():
    for x in (-2.0, 0.5, 2.0):
        print(clamp(x, 0.0, 1.0))


if __name__ == "__main__":
    main()
