# treatment: as written: it derives from Operators, which
class Operators:
    #: arithmetic


class Value(Operators):
    #: constructor body

    #: walk


print(isinstance(Value(1.0), Operators))
