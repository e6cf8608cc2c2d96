# treatment: replaced
import copy, pickle


class Value:
    #: init & arithmetic & backward


#: program
c = copy.deepcopy(a)
print(c.data, c is a)
l = [a, b]
print(sorted(l, key=lambda v: v.data)[0] is (a if a.data < b.data else b))
