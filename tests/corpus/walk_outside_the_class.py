# treatment: replaced
class Value:
    #: init & arithmetic & repr


def topological(root):
    #: order: self=root
    return order


a, b = Value(2.0), Value(-3.0)
root = (a * b + a) * b
root.grad = 1.0
for node in reversed(topological(root)):
    node._backward()
print(a.grad, b.grad, len(topological(root)))
