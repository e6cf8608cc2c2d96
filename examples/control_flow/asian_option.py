"""An Asian call whose average leaves out the days below a floor."""

import math


def payoff(s, sigma, floor, z):
    """The payoff along one path, whose random numbers are z."""
    dt = 1.0 / len(z)
    total, days = 0.0, 0
    for zi in z:
        s = s * math.exp(-0.5 * sigma * sigma * dt + sigma * math.sqrt(dt) * zi)
        if s > floor:
            total += s
            days += 1
    if days == 0:
        return 0.0
    return max(total / days - 100.0, 0.0)


def main():
    for z in ([0.5, 0.1, 0.8], [-2.0, -1.0, 3.0]):
        print(payoff(100.0, 0.3, 90.0, z))


if __name__ == "__main__":
    main()
