# treatment: replaced, keeps item, one, of, twice, doubled
class Value:
    #: init & arithmetic

    @property
    def item(self):
        return self.data

    @staticmethod
    def one():
        return Value(1.0)

    @classmethod
    def of(cls, number):
        return cls(number)

    twice = 2.0

    def doubled(self, by=twice):
        return self * by

    #: backward & repr


for x in (0.3, -1.7, 2.9):
    a, b = Value(x), Value(x + 1.25)
    out = (a * b).doubled() + Value.one() * Value.of(a.item) + b.doubled(3.0)
    out.backward()
    print(float(out.data).hex(), float(a.grad).hex(), float(b.grad).hex())
