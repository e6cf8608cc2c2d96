# treatment: as written: grad begins as None
class Value:
    #: init: `0.0` → `None`

    #: add & mul: `self.grad +=` → `self.grad = (self.grad or 0.0) +` `other.grad +=` → `other.grad = (other.grad or 0.0) +`

    #: radd & rmul & backward & repr


#: program
