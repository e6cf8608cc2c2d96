# treatment: replaced
from functools import total_ordering


@total_ordering
class Value:
    #: init & arithmetic

    def __lt__(self, other):
        return self.data < (other.data if isinstance(other, Value) else other)

    def __eq__(self, other):
        return self.data == (other.data if isinstance(other, Value) else other)

    __hash__ = object.__hash__

    #: backward & repr


#: program
print(max([Value(1.0), Value(3.0)]).data, Value(2.0) == 2.0, Value(1.0) >= 1)
