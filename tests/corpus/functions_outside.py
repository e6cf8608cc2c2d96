# treatment: replaced
import math


#: micrograd


#: exp outside


def softmax(vs):
    es = [exp(v) for v in vs]
    total = sum(es, Value(0.0))
    inv = Value(1.0 / total.data, (total,), "inv")
    def push():
        total.grad += -inv.data**2 * inv.grad
    inv._backward = push
    return [e * inv for e in es]


a, b = Value(0.3), Value(1.2)
p = softmax([a, b])
p[0].backward()
print(p[0].data.hex(), a.grad.hex(), b.grad.hex())
