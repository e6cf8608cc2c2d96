"""The joint angles by which an arm of two links reaches a point, or points at it."""

import math


def angles(x, y, upper, lower):
    """The sum of the angles of shoulder and elbow, and the shoulder's own."""
    reach = math.sqrt(x * x + y * y)
    if reach >= upper + lower:  # too far: stretched out
        shoulder, elbow = math.atan2(y, x), 0.0
    elif reach <= abs(upper - lower):  # too near: folded
        shoulder, elbow = math.atan2(y, x), math.pi
    else:
        inner = (x * x + y * y - upper * upper - lower * lower) / (2.0 * upper * lower)
        elbow = math.acos(inner)
        shoulder = math.atan2(y, x) - math.atan2(
            lower * math.sin(elbow), upper + lower * math.cos(elbow)
        )
    return shoulder + elbow if y > 0 else shoulder


def main():
    for x in (0.1, 1.0, 3.0):
        print(angles(x, 0.5, 1.0, 0.7))


if __name__ == "__main__":
    main()
