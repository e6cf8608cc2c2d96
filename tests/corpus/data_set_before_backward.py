# treatment: replaced
class Value:
    #: closures over o

    #: backward: order=t seen=s visit=go node=v child=c


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
