# treatment: as written: line 64 sets .grad to None
#: constructor

    #: arithmetic

    #: backward


for x in (0.3, -1.7, 2.9):
    a, b = Value(x), Value(x + 1.25)
    out = (a * b + a) * b
    out.backward()
    print(float(out.data).hex(), float(a.grad).hex(), float(b.grad).hex())
for p in (a, b):
    p.grad = None
print(a.grad)
