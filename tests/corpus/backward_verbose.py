# treatment: replaced
class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = tuple(_children)
        self._op = _op
        self._backward = lambda: None

    #: arithmetic

    def backward(self, verbose=False):
        order, seen = [], set()

        def visit(node):
            if node not in seen:
                seen.add(node)
                for child in node._prev:
                    visit(child)
                order.append(node)

        visit(self)
        self.grad = 1.0
        for node in reversed(order):
            node._backward()
            if verbose:
                print("walked", node.data)


    def __repr__(self):
        return f"Value({self.data})"


#: program
(Value(2.0) + Value(1.0)).backward(verbose=True)
