# treatment: replaced
#: micrograd: Value=V


#: program: Value=V
