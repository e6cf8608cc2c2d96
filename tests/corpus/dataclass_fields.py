# treatment: replaced
from dataclasses import dataclass, field
from typing import Any, Callable


@dataclass(eq=False)
class Value:
    data: float
    inputs: tuple = ()
    op: str = ""
    grad: float = 0.0
    _backward: Callable[[], Any] = field(default=lambda: None, repr=False)

    #: arithmetic & backward: _prev=inputs


#: program
print(sum([Value(1.5), Value(2.0)], Value(0.0)).data)
