# treatment: replaced
class Value:
    #: init, push last & add & mul & backward


nodes = [Value(float(i), label=i) for i in range(3)]
out = nodes[0] * nodes[1] + nodes[2]
out.label = 99
out.backward()
print([n.label for n in nodes], out.label, [n.grad for n in nodes], Value(1.0).label == "")
