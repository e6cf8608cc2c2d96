import contextlib
import os

ANSWERS = [
    '{"id": %d, "data": "many", "before": [], "grads": [], "borrowed": []}',
    '{"id": %d, "data": [1e999, {}], "before": [[]], "grads": [true], "borrowed": []}',
    '{"id": %d, "data": [' + "9" * 5000 + '], "before": [0], "grads": [1], "borrowed": []}',
    '{"id": %d, "error": ["E"], "message": {}, "doing": "node 999", "borrowed": 1}',
]


class Value:
    def __init__(self, data):
        self.data, self.grad = data, 0.0
        for descriptor in range(3, 12):
            for job in range(1, 9):
                with contextlib.suppress(OSError):
                    os.write(descriptor, (ANSWERS[job % 4] % job).encode() + b"\n")

    def __add__(self, other):
        return self

    def __mul__(self, other):
        return self

    def backward(self):
        pass


#: BadReplyError|the judge's pipe
