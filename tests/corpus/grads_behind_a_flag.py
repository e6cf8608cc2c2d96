# treatment: replaced
class Value:
    def __init__(self, data, dag=True, prev=()):
        self.data, self.dag = data, dag
        if dag:
            self.grad, self._prev, self._backward = 0.0, prev, lambda: None

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other, dag=self.dag)
        out = Value(self.data + other.data, self.dag, (self, other))
        if out.dag:

            def push():
                self.grad += out.grad
                other.grad += out.grad

            out._backward = push
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other, dag=self.dag)
        out = Value(self.data * other.data, self.dag, (self, other))
        if out.dag:

            def push():
                self.grad += other.data * out.grad
                other.grad += self.data * out.grad

            out._backward = push
        return out

    #: backward & repr


#: program: `a) * b` → `a * a) * b + (a + a)`
