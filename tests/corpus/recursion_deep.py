# treatment: replaced
import sys
sys.setrecursionlimit(20_000)


#: micrograd


a = Value(1.0)
out = a
for _ in range(2_000):
    out = out + a
out.backward()
print(out.data, a.grad)
