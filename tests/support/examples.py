"""The worked examples X1 to X9: programs, what they compute, and their gradients."""

# name: program, leaves, data of named results (of the whole: ""), and gradients after backward()
EXAMPLES: dict[str, tuple[str, dict[str, float], dict[str, float], dict[str, float]]] = {
    "X1": (
        *("(a + b) * c", {"a": 2, "b": -3, "c": 10}),
        *({"": -10}, {"": 1, "a": 10, "b": 10, "c": -1}),
    ),
    "X2": (
        "n = x1*w1 + x2*w2 + b; o = tanh(n)",
        {"x1": 2, "x2": 0, "w1": -3, "w2": 1, "b": 6.8813735870195432},
        {"n": 0.8813735870195432, "o": 0.7071067811865476},
        {"n": 0.5, "b": 0.5, "w1": 1, "x1": -1.5, "x2": 0.5, "w2": 0},
    ),
    "X3": ("a*a", {"a": 3}, {"": 9}, {"a": 6}),
    "X4": ("a + a", {"a": 3}, {"": 6}, {"a": 2}),
    "X5": (
        *("d = a*b; e = a + b; f = d*e", {"a": -2, "b": 3}),
        *({"d": -6, "e": 1, "f": -6}, {"d": 1, "e": -6, "a": -3, "b": -8}),
    ),
    "X6": (
        *("b = a + 1; c = a*3; d = b*c", {"a": 2}),
        *({"b": 3, "c": 6, "d": 18}, {"b": 6, "c": 3, "a": 15}),
    ),
    "X7": (
        *("c = a*b; L = c + a", {"a": 2, "b": 3}),
        *({"c": 6, "L": 8}, {"L": 1, "c": 1, "b": 2, "a": 4}),
    ),
    "X8": ("relu(a*b)", {"a": 2, "b": -3}, {"": 0}, {"": 1, "a": 0, "b": 0}),
    "X9": ("1/(1 + exp(0 - x))", {"x": 0.5}, {"": 0.6224593312018546}, {"x": 0.2350037122015945}),
}
