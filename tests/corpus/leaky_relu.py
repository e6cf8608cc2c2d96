# treatment: replaced, keeps relu
class Value:
    #: init & arithmetic

    #: relu: `0.0 if self.data < 0 else self.data` → `self.data if self.data > 0 else 0.01 * self.data` `ReLU` → `relu` `(out.data > 0)` → `(1.0 if self.data > 0 else 0.01)`

    #: backward & repr


#: program: `(a * b + a) * b` → `a.relu() * b.relu()`
