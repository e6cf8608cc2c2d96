# treatment: replaced
class Value:
    #: init unlabelled & add: other=o push=b `, _op=""` → `` `self._op = _op` → `` `, "+"` → ``

    #: mul & backward: child=c node=v order=t other=o push=b seen=s visit=go `, "*"` → ``


class Net:
    def __init__(self):
        self.w = Value(2.0)
        self.x = Value(3.0)
        self.out = None

    def forward(self):
        self.out = self.w * self.x + self.w
        return self.out

    def noise(self):
        self.w.data = 10.0

    def train(self):
        self.out.backward()


n = Net()
n.forward()
n.noise()
n.train()
print(n.w.grad, n.x.grad)
