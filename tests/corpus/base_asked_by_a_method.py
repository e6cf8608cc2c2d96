# treatment: as written: it derives from Operators, which
class Operators:
    #: arithmetic

    def thrice(self):
        return self * 3.0 if isinstance(self, Operators) else None


class Value(Operators):
    #: init & backward & repr


print(Value(1.0).thrice())
