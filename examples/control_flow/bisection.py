"""The root of x**3 + x = c by halving an interval, then one step of Newton.

Halving only asks on which side the root is, which is a step function of c: its gradient is 0. The
last step has the gradient of the root.
"""


def root(c):
    low, high = -3.0, 3.0
    while high - low > 1e-6:
        middle = 0.5 * (low + high)
        if middle * middle * middle + middle < c:
            low = middle
        else:
            high = middle
    x = 0.5 * (low + high)
    return x - (x * x * x + x - c) / (3.0 * x * x + 1.0)


def main():
    for c in (-10.0, 0.5, 10.0):
        print(root(c))


if __name__ == "__main__":
    main()
