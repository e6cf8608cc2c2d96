# treatment: as written: line 64 sets .grad to None
#: micrograd


#: program
for p in (a, b):
    p.grad = None
print(a.grad)
