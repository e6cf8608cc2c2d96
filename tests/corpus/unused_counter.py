# treatment: replaced, keeps made
class Value:
    made = 0

    #: counted init & arithmetic & backward & repr: _count=made _id=_number


#: program
