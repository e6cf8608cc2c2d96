# treatment: replaced
#: micrograd: Value=Num data=_v grad=_g


#: program: Value=Num data=_v grad=_g
