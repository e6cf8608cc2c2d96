"""A PID controller whose output saturates; its integral then stands still."""


class Controller:
    def __init__(self, gain, reset):
        self.gain = gain
        self.reset = reset
        self.integral = 0.0
        self.last = 0.0

    def output(self, error):
        wanted = self.gain * error + self.integral + 0.2 * (error - self.last)
        self.last = error
        if wanted > 1.0:
            return 1.0
        if wanted < -1.0:
            return -1.0
        self.integral += self.reset * error
        return wanted


def run(target, gain, reset):
    """Where a sluggish plant is after 40 steps."""
    controller = Controller(gain, reset)
    x, v = 0.0, 0.0
    for _ in range(40):
        v += 0.2 * (controller.output(target - x) - 0.5 * v)
        x += 0.2 * v
    return x


def main():
    for target in (0.2, 2.0, 6.0):
        print(run(target, 2.0, 0.1))


if __name__ == "__main__":
    main()
