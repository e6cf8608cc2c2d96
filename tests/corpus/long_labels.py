# treatment: replaced
#: micrograd


for x in (0.3, -1.7, 2.9):
    a, b = Value(x), Value(x + 1.25)
    out = a * b + a
    out.backward()
    print(float(out.data).hex(), float(a.grad).hex(), float(b.grad).hex())
out.label = "x" * 5
print(out.label, len(out.label))
