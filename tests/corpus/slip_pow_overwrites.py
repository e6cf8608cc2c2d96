# treatment: replaced, keeps __pow__
class Value:
    #: init & add & mul & radd & rmul & pow & backward & repr: `self.grad += (n` → `self.grad = (n`


#: program: `(a * b + a) * b` → `a**2 * a + b`
