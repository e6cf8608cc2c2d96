"""A damped pendulum by Runge-Kutta with an error estimate: steps are as long as it allows.

The method is Dormand and Prince's.
"""

import math

NODES = (
    (1 / 5,),
    (3 / 40, 9 / 40),
    (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
)
ERRORS = (71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40)


def slope(angle, speed, damping):
    return speed, -math.sin(angle) - damping * speed


def angle_at(end, angle, damping):
    """The pendulum's angle at a time, when it starts at rest."""
    time, step, speed = 0.0, 0.5, 0.0
    while time < end:
        last = time + step >= end
        if last:
            step = end - time
        slopes = [slope(angle, speed, damping)]
        for row in NODES:
            a, v = angle, speed
            for weight, (da, dv) in zip(row, slopes, strict=False):
                a += step * weight * da
                v += step * weight * dv
            slopes.append(slope(a, v, damping))
        error_a = error_v = 0.0
        for weight, (da, dv) in zip(ERRORS, slopes, strict=True):
            error_a += step * weight * da
            error_v += step * weight * dv
        error = math.sqrt(error_a * error_a + error_v * error_v) / 1e-6 + 1e-10
        if error <= 1.0:
            angle, speed = a, v
            time = end if last else time + step
        step *= min(2.0, max(0.3, 0.9 * error**-0.2))
    return angle


def main():
    for end in (0.3, 1.0, 3.0):
        print(angle_at(end, 1.0, 0.1))


if __name__ == "__main__":
    main()
