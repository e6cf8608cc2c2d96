# treatment: as written: it derives from Base
class Base:
    def __init__(self, data):
        self.data = data


class Value(Base):
    #: init & arithmetic & backward & repr


#: program
