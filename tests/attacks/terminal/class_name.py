EVIL = "\x1b[2J\x1b]52;c;ZXZpbA==\x07\x9b31m\u202egnp\ud83d\u2066\x7f"
globals()[EVIL] = type(EVIL.replace("\ud83d", ""), (), {})


class Value:
    def __init__(self, data):
        self.data, self.grad = data, globals()[EVIL]()

    def __add__(self, other):
        raise type(EVIL.replace("\ud83d", ""), (Exception,), {})(EVIL)

    __mul__ = __add__

    def backward(self):
        pass
