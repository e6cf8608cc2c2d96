"""The volatility that explains a call's price, by Newton's method."""

import math


def black_scholes(s, k, sigma):
    """The price of a call on one year, and its slope by sigma."""
    d1 = math.log(s / k) / sigma + 0.5 * sigma
    d2 = d1 - sigma
    below1 = 0.5 * (1.0 + math.erf(d1 / math.sqrt(2.0)))
    below2 = 0.5 * (1.0 + math.erf(d2 / math.sqrt(2.0)))
    vega = s * math.exp(-0.5 * d1 * d1) / math.sqrt(2.0 * math.pi)
    return s * below1 - k * below2, vega


def implied_volatility(price, s, k):
    sigma, step = 0.3, 1.0
    while abs(step) > 1e-9:
        found, vega = black_scholes(s, k, sigma)
        step = (found - price) / vega
        sigma -= step
        sigma = max(sigma, 0.01)
    return sigma


def main():
    for price in (8.0, 12.0, 20.0):
        print(implied_volatility(price, 100.0, 100.0))


if __name__ == "__main__":
    main()
