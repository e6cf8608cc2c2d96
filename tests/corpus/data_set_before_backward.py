# treatment: replaced
class Value:
    #: init unlabelled & add: other=o push=b `, _op=""` → `` `self._op = _op` → `` `, "+"` → ``

    #: mul & backward: child=c node=v order=t other=o push=b seen=s visit=go `, "*"` → ``


a = Value(2.0)
b = Value(3.0)
c = a * b + a
a.data = 10.0
c.backward()
print(a.grad, b.grad, c.data)
out = a * b * a
out.backward()
b.data = -1.5
out.backward()
print(a.grad, b.grad)
