"""How far a ball comes that loses some speed at each bounce."""


def distance(height, speed, bounciness):
    x, y, vy = 0.0, height, 0.0
    bounces = 0
    for _ in range(120):
        vy -= 9.81 * 0.02
        y += vy * 0.02
        x += speed * 0.02
        if y < 0.0:
            y = -y * bounciness
            vy = -vy * bounciness
            bounces += 1
            if bounces == 4:
                break
    return x + y


def main():
    for height in (0.5, 1.0, 3.0):
        print(distance(height, 2.0, 0.8))


if __name__ == "__main__":
    main()
