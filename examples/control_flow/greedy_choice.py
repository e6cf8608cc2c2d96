"""What fits into a bag: the best value per weight first, the last item in part."""


def best(capacity, values, weights):
    items = zip(values, weights, strict=True)
    order = sorted(items, key=lambda item: item[0] / item[1], reverse=True)
    total = 0.0
    for value, weight in order:
        if weight > capacity:
            total += value * (capacity / weight)
            break
        total += value
        capacity -= weight
    return total


def main():
    for capacity in (2.0, 5.0, 20.0):
        print(best(capacity, [6.0, 10.0, 12.0, 3.0], [1.0, 2.0, 3.0, 2.5]))


if __name__ == "__main__":
    main()
