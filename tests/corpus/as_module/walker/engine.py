#: micrograd: Value=Node data=x grad=g
