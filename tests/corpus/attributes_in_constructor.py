# treatment: replaced
class Value:
    #: counted init: Value=self _count=m _id=history `+= 1` → `= 0.0` `= self.m` → `= []`

    #: arithmetic & backward & repr


#: program
a.m += 0.5
a.history.append(a.m)
print(a.m, b.m, a.history, b.history)
