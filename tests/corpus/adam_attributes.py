# treatment: replaced, keeps tanh
import math, random


class RNG:
    def __init__(self, seed):
        self.state = seed

    def random_u32(self):
        self.state ^= (self.state >> 12) & 0xFFFFFFFFFFFFFFFF
        self.state ^= (self.state << 25) & 0xFFFFFFFFFFFFFFFF
        self.state ^= (self.state >> 27) & 0xFFFFFFFFFFFFFFFF
        return ((self.state * 0x2545F4914F6CDD1D) >> 32) & 0xFFFFFFFF

    def random(self):
        return (self.random_u32() >> 8) / 16777216.0

    def uniform(self, a=0.0, b=1.0):
        return a + (b - a) * self.random()


rng = RNG(42)


class Value:
    """stores a single scalar value and its gradient"""

    def __init__(self, data, _prev=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._backward = lambda: None
        self._prev = _prev
        self._op = _op
        self.m = 0
        self.v = 0

    #: add & mul: push=_backward

    def __pow__(self, other):
        assert isinstance(other, (int, float)), "only supporting int/float powers for now"
        out = Value(self.data**other, (self,), f"**{other}")

        def _backward():
            self.grad += (other * self.data ** (other - 1)) * out.grad

        out._backward = _backward
        return out

    #: relu: push=_backward `0.0` → `0`

    #: exp: exp=tanh push=_backward `out.data` → `(1 - out.data**2)`

    #: exp: push=_backward `out.data` → `math.exp(self.data)`

    #: exp & backward by build topo: exp=log push=_backward `out.data` → `(1 / self.data)`

    def __neg__(self):
        return self * -1.0

    #: radd & sub

    def __rsub__(self, other):
        return other + (-self)

    #: rmul & truediv

    def __rtruediv__(self, other):
        return other * self**-1

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"


class Module:
    def zero_grad(self):
        for p in self.parameters():
            p.grad = 0

    def parameters(self):
        return []


class Neuron(Module):
    def __init__(self, nin, nonlin=True):
        r = rng.random() * 0
        self.w = [Value(rng.uniform(-1, 1) * nin**-0.5) for _ in range(nin)]
        self.b = Value(0.0)
        self.nonlin = nonlin

    def __call__(self, x):
        act = sum((wi * xi for wi, xi in zip(self.w, x)), self.b)
        return act.tanh() if self.nonlin else act

    def parameters(self):
        return self.w + [self.b]


class Layer(Module):
    def __init__(self, nin, nout, **kw):
        self.neurons = [Neuron(nin, **kw) for _ in range(nout)]

    def __call__(self, x):
        out = [n(x) for n in self.neurons]
        return out[0] if len(out) == 1 else out

    def parameters(self):
        return [p for n in self.neurons for p in n.parameters()]


class MLP(Module):
    def __init__(self, nin, nouts):
        sz = [nin] + nouts
        self.layers = [
            Layer(sz[i], sz[i + 1], nonlin=i != len(nouts) - 1) for i in range(len(nouts))
        ]

    def __call__(self, x):
        for l in self.layers:
            x = l(x)
        return x

    def parameters(self):
        return [p for l in self.layers for p in l.parameters()]


class AdamW:
    def __init__(self, parameters, lr=1e-1, betas=(0.9, 0.95), eps=1e-8, weight_decay=0.0):
        self.parameters = parameters
        self.lr = lr
        self.beta1, self.beta2 = betas
        self.eps = eps
        self.weight_decay = weight_decay
        self.t = 0
        for p in self.parameters:
            p.m = 0
            p.v = 0

    def step(self):
        self.t += 1
        for p in self.parameters:
            if p.grad is None:
                continue
            p.m = self.beta1 * p.m + (1 - self.beta1) * p.grad
            p.v = self.beta2 * p.v + (1 - self.beta2) * (p.grad**2)
            m_hat = p.m / (1 - self.beta1**self.t)
            v_hat = p.v / (1 - self.beta2**self.t)
            p.data -= self.lr * (m_hat / (v_hat**0.5 + self.eps) + self.weight_decay * p.data)

    def zero_grad(self):
        for p in self.parameters:
            p.grad = 0


def cross_entropy(logits, target):
    max_val = max(val.data for val in logits)
    logits = [val - max_val for val in logits]
    ex = [x.exp() for x in logits]
    denom = sum(ex)
    probs = [x / denom for x in ex]
    logp = probs[target].log()
    return -logp


model = MLP(2, [8, 3])
data = [([rng.uniform(-1, 1), rng.uniform(-1, 1)], int(rng.random() * 3)) for _ in range(12)]
opt = AdamW(model.parameters(), lr=1e-1, weight_decay=1e-4)
for step in range(8):
    loss = Value(0)
    for x, y in data:
        loss = loss + cross_entropy(model(x), y)
    loss = loss * (1.0 / len(data))
    loss.backward()
    opt.step()
    opt.zero_grad()
    print(f"step {step}, loss {loss.data:.8f}")
