# treatment: replaced
from __future__ import annotations
from typing import Callable, Set, Tuple, Union, Optional


class Value:
    data: float
    grad: float

    def __init__(self, data: Union[int, float], _children: Tuple["Value", ...] = (), _op: str = "", label: Optional[str] = None) -> None:
        self.data = float(data)
        self.grad = 0.0
        self._backward: Callable[[], None] = lambda: None
        self._prev: Set[Value] = set(_children)
        self._op = _op
        self.label = label

    #: arithmetic & backward & repr


#: program
a.label = "a"
print(a.label, b.label, Value(1.0, label="w").label)
for v in (a, b):
    print(f"{v.label}: {v.data:.4f}")
