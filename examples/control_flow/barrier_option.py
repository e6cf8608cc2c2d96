"""A down-and-out call: worth nothing once its path has touched the barrier."""

import math


def payoff(s, sigma, barrier, z):
    """The payoff along one path, whose random numbers are z."""
    dt = 1.0 / len(z)
    for zi in z:
        s = s * math.exp(-0.5 * sigma * sigma * dt + sigma * math.sqrt(dt) * zi)
        if s < barrier:
            return 0.0
    return max(s - 100.0, 0.0)


def main():
    for z in ([0.5, 0.1, 0.8], [-2.0, 1.0, 3.0]):
        print(payoff(100.0, 0.3, 80.0, z))


if __name__ == "__main__":
    main()
