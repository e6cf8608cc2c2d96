# treatment: as written: each instance has a ._id
class Value:
    _count = 0

    #: counted init & arithmetic & backward & repr


#: program
print(a._id)
