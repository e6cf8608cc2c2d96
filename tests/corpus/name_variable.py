# treatment: replaced
#: micrograd: Value=Variable data=value grad=derivative


#: program: Value=Variable data=value grad=derivative
