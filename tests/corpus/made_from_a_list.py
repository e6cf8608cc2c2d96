# treatment: as written: it is made for arrays: line 58
#: micrograd


a = Value([1.0, 2.0])
print(a.data)
