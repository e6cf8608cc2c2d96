# treatment: replaced
#: micrograd


class Parameter(Value):
    def __init__(self, data):
        super().__init__(data, label="w")


w, x = Parameter(0.5), Value(-2.0)
loss = w * x + w
loss.backward()
print(loss.data, w.grad, x.grad, isinstance(w, Value), w.label)
