# treatment: replaced
s, of = isinstance, type


class Value:
    #: init of local grads & gpt add & gpt mul: isinstance=s other=o `Value)` → `of(self))`

    #: gpt backward: build=visit topo=order v=node visited=seen


#: program: `a) * b` → `a * a) * b + (a + a)`
