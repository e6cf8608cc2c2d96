# treatment: replaced
#: micrograd & program: Value=Node data=x grad=g
