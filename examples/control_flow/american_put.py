"""An American put by a binomial tree: at each node, exercise or hold."""

import math


def price(s, k, r, sigma):
    steps = 12
    up = math.exp(sigma * math.sqrt(1.0 / steps))
    down = 1.0 / up
    discount = math.exp(-r / steps)
    p = (1.0 / discount - down) / (up - down)
    spots = [s * down**steps]
    for _ in range(steps):
        spots.append(spots[-1] * up * up)
    values = [max(k - spot, 0.0) for spot in spots]
    for step in range(steps, 0, -1):
        for i in range(step):
            spots[i] = spots[i] * up
            hold = discount * (p * values[i + 1] + (1.0 - p) * values[i])
            values[i] = max(hold, k - spots[i])
    return values[0]


def main():
    for s in (80.0, 100.0, 120.0):
        print(price(s, 100.0, 0.05, 0.3))


if __name__ == "__main__":
    main()
