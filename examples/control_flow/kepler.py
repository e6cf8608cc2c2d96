"""Kepler's equation E - e sin(E) = M, by Newton until it is solved."""

import math


def anomaly(mean, eccentricity):
    angle = mean if eccentricity < 0.8 else math.pi
    while True:
        wrong = angle - eccentricity * math.sin(angle) - mean
        angle -= wrong / (1.0 - eccentricity * math.cos(angle))
        if abs(wrong) < 1e-8:
            return angle


def main():
    for eccentricity in (0.0167, 0.5, 0.9):
        print(anomaly(1.2, eccentricity))


if __name__ == "__main__":
    main()
