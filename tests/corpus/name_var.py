# treatment: replaced
#: micrograd: Value=Var data=val grad=gradient


#: program: Value=Var data=val grad=gradient
