# treatment: replaced
#: micrograd: Value=Node data=x grad=g


#: program: Value=Node data=x grad=g
