# treatment: replaced
class Value:
    #: init & arithmetic: _prev=_children `, label=""` → `` `self.label = label` → ``

    #: backward: _prev=_children


a, b = Value(2.0), Value(-3.0)
c = a + a
out = (c * b + a * 2.0) * b
out.backward()
print(out.data, a.grad, b.grad, len(c._children), sorted(n.data for n in out._children))
