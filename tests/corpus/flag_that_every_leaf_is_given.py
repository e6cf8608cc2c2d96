# treatment: replaced
class Value:
    def __init__(self, data, _children=(), _op="", dag=False):
        self.data = data
        self.dag = dag
        self._op = _op
        self._prev = _children if dag else ()
        self._backward = lambda: None
        self.grad = 0.0

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), '+', dag=self.dag or other.dag)
        if out.dag:

            def push():
                self.grad += out.grad
                other.grad += out.grad

            out._backward = push
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), '*', dag=self.dag or other.dag)
        if out.dag:

            def push():
                self.grad += other.data * out.grad
                other.grad += self.data * out.grad

            out._backward = push
        return out

    #: backward


a, b = Value(2.0, dag=True), Value(-3.0, dag=True)
c = a * b + a * 4.0
c.backward()
print(c.data, a.grad, b.grad)
