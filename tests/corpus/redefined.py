# treatment: replaced
class Value:
    #: init & arithmetic

    def tag(self):
        return "first"

    #: backward & repr


old = Value(2.0) * Value(3.0)
print(old.tag())


#: micrograd


#: program
