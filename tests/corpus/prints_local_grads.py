# treatment: replaced
class Value:
    #: init of local grads & gpt add & gpt mul: other=o `0` → `0.0` `1, 1` → `1.0, 1.0`

    #: gpt backward: build=visit topo=order v=node visited=seen


a = Value(3.0)
print((a * 2.0).local_grads, (a + 2.0).local_grads, (a * a).local_grads)
