# treatment: replaced
#: micrograd & program: Value=value
