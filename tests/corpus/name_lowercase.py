# treatment: replaced
#: micrograd: Value=value


#: program: Value=value
