# treatment: replaced, keeps item
import numbers


class Value:
    #: init & arithmetic

    def __float__(self):
        return float(self.data)

    def __abs__(self):
        return self if self.data >= 0 else self * -1

    def __iadd__(self, other):
        return self + other

    def item(self): return self.data

    #: backward & repr


#: program
s = Value(0.0)
s += a
s += 2.0
print(s.data, abs(Value(-2.0)).data, float(s), round(float(a.item()), 3))
