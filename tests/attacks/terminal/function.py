EVIL = "\x1b[2J\x1b]52;c;ZXZpbA==\x07\x9b31m\u202egnp\ud83d\u2066\x7f"


def f(x):
    raise ValueError(EVIL)


def g(x):
    return x * x


g.__name__ = g.__qualname__ = EVIL.replace("\ud83d", "")
