# treatment: replaced
class Value:
    #: init unlabelled & add & mul: other=o push=b `= _children` → `= set(_children)`

    #: backward: child=c node=v order=t seen=s visit=go

    def __format__(self, spec):
        return format(self.data, spec)

    def __str__(self):
        return f"V<{self.data}>"

    def __lt__(self, o):
        return self.data < (o.data if isinstance(o, Value) else o)

    def __gt__(self, o):
        return self.data > (o.data if isinstance(o, Value) else o)

    def __float__(self):
        return self.data


xs = [Value(3.5), Value(1.25), Value(2.0)]
print(f"{xs[0]:.3f} {max(xs)} {min(xs)} {sorted(xs)[1]:>8.2f}", float(xs[1]), [str(x) for x in xs])
(max(xs) * xs[1]).backward()
print([x.grad for x in xs])
