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


#: program: ` + a) * b` → `).doubled() + Value.one() * Value.of(a.item) + b.doubled(3.0)`
