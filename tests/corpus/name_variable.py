# treatment: replaced
#: micrograd & program: Value=Variable data=value grad=derivative
