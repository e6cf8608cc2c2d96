# treatment: replaced, keeps __pow__
class Value:
    #: init & arithmetic

    #: pow & backward & repr: ` * out.grad` → ``


#: program: `(a * b + a)` → `a**3`
