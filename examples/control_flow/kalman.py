"""A Kalman filter for place and speed over nested lists; wild measurements are left out."""


def multiply(a, b):
    return [[sum_of(a, b, i, j) for j in range(len(b[0]))] for i in range(len(a))]


def sum_of(a, b, i, j):
    total = 0.0
    for k in range(len(b)):
        total += a[i][k] * b[k][j]
    return total


def place(noise, drift, measured):
    """The last place that the filter believes in."""
    state = [[0.0], [0.0]]
    spread = [[1.0, 0.0], [0.0, 1.0]]
    move = [[1.0, 0.1], [0.0, 1.0]]
    back = [[1.0, 0.0], [0.1, 1.0]]
    for z in measured:
        state = multiply(move, state)
        spread = multiply(multiply(move, spread), back)
        for i in range(2):
            spread[i][i] += drift
        total = spread[0][0] + noise
        surprise = z - state[0][0]
        if surprise * surprise > 9.0 * total:
            continue
        gain = [spread[0][0] / total, spread[1][0] / total]
        for i in range(2):
            state[i][0] += gain[i] * surprise
        spread = [[spread[i][j] - gain[i] * spread[0][j] for j in range(2)] for i in range(2)]
    return state[0][0]


def main():
    print(place(0.5, 0.01, [0.1, 0.3, 9.0, 0.4, 0.7]))


if __name__ == "__main__":
    main()
