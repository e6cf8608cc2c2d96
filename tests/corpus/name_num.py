# treatment: replaced
#: micrograd & program: Value=Num data=_v grad=_g
