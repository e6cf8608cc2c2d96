# treatment: replaced
#: micrograd


#: program: `(a * b + a) * b` → `a * b + a`
out.label = "x" * 5
print(out.label, len(out.label))
