# treatment: replaced, keeps relu
class Value:
    #: init & arithmetic

    #: relu: `0.0 if self.data < 0 else self.data` → `self.data if self.data > 0 else 0.0` `ReLU` → `relu` `(out.data > 0) * out.grad` → `1.0 if self.data > 0 else 0.0`

    #: backward & repr


#: program: `(a * b + a` → `a.relu(`
