# treatment: as written: it derives from Operators, which
class Operators:
    #: arithmetic


class Value(Operators):
    #: init & backward & repr


print(isinstance(Value(1.0), Operators))
