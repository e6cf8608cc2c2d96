# treatment: as written: no class in it
class Point:
    def __init__(self, x):
        self.x = x

    def __add__(self, other):
        return Point(self.x + other.x)


print((Point(1) + Point(2)).x)
