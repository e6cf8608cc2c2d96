# treatment: replaced
#: micrograd & program: Value=Var data=val grad=gradient
