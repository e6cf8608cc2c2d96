# treatment: replaced
#: constructor

    #: arithmetic

    def tag(self):
        return "first"

    #: walk


old = Value(2.0) * Value(3.0)
print(old.tag())


#: micrograd


#: program
