# treatment: replaced
#: micrograd: Value=Node data=x grad=g


for x in (0.3, -1.7, 2.9):
    a, b = Node(x), Node(x + 1.25)
    out = (a * b + a) * b
    out.backward()
    print(float(out.x).hex(), float(a.g).hex(), float(b.g).hex())
