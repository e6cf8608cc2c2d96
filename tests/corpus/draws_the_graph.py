# treatment: replaced, keeps __pow__
class Value:
    #: init & arithmetic & pow & relu & backward & repr


def trace(root):
    nodes, edges = [], []

    def build(node):
        if node not in nodes:
            nodes.append(node)
            for child in sorted(node._prev, key=lambda one: (one.data, one._op)):
                edges.append((child.data, node.data))
                build(child)

    build(root)
    return nodes, edges


a, b = Value(2.0), Value(-3.0)
nodes, edges = trace((a * b + 10.0).relu() * (a**2 * 3.0))
print([(node.data, node._op) for node in nodes])
print(edges)
