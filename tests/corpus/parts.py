# What many scripts of the corpus share. A line "#: NAME & NAME" in a script stands for the lines
# below those names; behind a colon stand edits of them: "data=x" renames, and "`OLD` → `NEW`" puts
# other text in the place of some.
#: micrograd
class Value:
    #: init & arithmetic & backward & repr

    #: arithmetic
    #: add & mul & radd & rmul

    #: backward
    def backward(self):
        #: order
        self.grad = 1.0
        for node in reversed(order):
            node._backward()

    #: order
        order, seen = [], set()

        def visit(node):
            if node not in seen:
                seen.add(node)
                for child in node._prev:
                    visit(child)
                order.append(node)

        visit(self)

    #: mul
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def push():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = push
        return out

    #: add
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def push():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = push
        return out

    #: init
    def __init__(self, data, _children=(), _op="", label=""):
        self.data = data
        self.grad = 0.0
        self._backward = lambda: None
        self._prev = set(_children)
        self._op = _op
        self.label = label

#: program
for x in (0.3, -1.7, 2.9):
    a, b = Value(x), Value(x + 1.25)
    out = (a * b + a) * b
    out.backward()
    print(float(out.data).hex(), float(a.grad).hex(), float(b.grad).hex())

    #: radd
    def __radd__(self, other):
        return self + other

    #: rmul
    def __rmul__(self, other):
        return self * other

    #: repr
    def __repr__(self):
        return f"Value({self.data})"

    #: gpt backward
    def backward(self):
        #: order: _prev=children node=v order=topo seen=visited visit=build
        self.grad = 1
        for v in reversed(topo):
            for child, local in zip(v.children, v.local_grads):
                child.grad += local * v.grad

    #: exp
    def exp(self):
        out = Value(math.exp(self.data), (self,), "exp")

        def push():
            self.grad += out.data * out.grad

        out._backward = push
        return out

    #: init unlabelled
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = _children
        self._op = _op
        self._backward = lambda: None

    #: gpt add
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data + other.data, (self, other), (1, 1))

    #: gpt init
    def __init__(self, data, children=(), local_grads=()):
        self.data = data
        self.grad = 0
        self._children = children
        self._local_grads = local_grads

    #: gpt mul
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data * other.data, (self, other), (other.data, self.data))

    #: counted init
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = set(_children)
        self._op = _op
        self._backward = lambda: None
        Value._count += 1
        self._id = Value._count

    #: short init
    def __init__(self, data, _children=()):
        self.data = data
        self.grad = 0.0
        self._prev = _children
        self._backward = lambda: None

    #: backward where set
    def backward(self):
        #: early order
        self.grad = 1.0
        for v in reversed(topo):
            if v._bw:
                v._bw()

    #: early order
        topo, vis = [], set()

        def go(v):
            if v in vis:
                return
            vis.add(v)
            for p in v.prev:
                go(p)
            topo.append(v)

        go(self)

    #: sub
    def __sub__(self, other):
        return self + (-other)

    #: backward by build topo
    def backward(self):
        topo = []
        visited = set()

        def build_topo(v):
            if v not in visited:
                visited.add(v)
                for child in v._prev:
                    build_topo(child)
                topo.append(v)

        build_topo(self)
        self.grad = 1
        for v in reversed(topo):
            v._backward()

    #: truediv
    def __truediv__(self, other):
        return self * other**-1

    #: neg
    def __neg__(self):
        return self * -1

#: program of sets
for x in (2.0, -3.0, 5.0):  # whole: the order of a set does not show
    a, b = Value(x), Value(x + 1.0)
    out = (a * b + a * a) * b + (a + a)
    out.backward()
    print(float(out.data).hex(), float(a.grad).hex(), float(b.grad).hex())

    #: pow
    def __pow__(self, n):
        out = Value(self.data**n, (self,), f"**{n}")

        def push():
            self.grad += (n * self.data ** (n - 1)) * out.grad

        out._backward = push
        return out

    #: backward of products
    def backward(self):
        self.grad = 1.0
        for node, other in (self.inputs, self.inputs[::-1]) if self.inputs else ():
            node.grad += other.data * self.grad

    #: init, push last
    def __init__(self, data, _children=(), _op="", label=""):
        self.data = data
        self.grad = 0.0
        self._prev = set(_children)
        self._op = _op
        self.label = label
        self._backward = lambda: None

#: program of scalars
a, b = Scalar(2.0), Scalar(-3.0)
out = (a * b + a) * b
out.backward()
print(out.value, a.grad, b.grad)

    #: unnamed add
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other))

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        if GRAD_ENABLED:
            out._backward = _backward
        return out

    #: unnamed mul
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other))

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        if GRAD_ENABLED:
            out._backward = _backward
        return out

#: exp outside
def exp(v):
    out = Value(math.exp(v.data), (v,), "exp")
    def push():
        v.grad += out.data * out.grad
    out._backward = push
    return out

    #: init with requires_grad
    def __init__(self, data, _children=(), _op="", requires_grad=True):
        self.data = data
        self.grad = 0
        self.requires_grad = requires_grad
        self._backward = lambda: None
        self._prev = set(_children)
        self._op = _op

    #: init of local grads
    def __init__(self, data, children=(), local_grads=()):
        self.data, self.grad = data, 0
        self.children, self.local_grads = children, local_grads

    #: gpt exp
    def exp(self):
        return Value(math.exp(self.data), (self,), (math.exp(self.data),))

    #: gpt log
    def log(self):
        return Value(math.log(self.data), (self,), (1 / self.data,))

    #: gpt pow
    def __pow__(self, n):
        return Value(self.data**n, (self,), (n * self.data ** (n - 1),))

    #: relu
    def relu(self):
        out = Value(0.0 if self.data < 0 else self.data, (self,), "ReLU")

        def push():
            self.grad += (out.data > 0) * out.grad

        out._backward = push
        return out

    #: tanh
    def tanh(self):
        t = math.tanh(self.data)
        out = Value(t, (self,), "tanh")

        def push():
            self.grad += (1 - t**2) * out.grad

        out._backward = push
        return out
