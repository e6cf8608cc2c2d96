# treatment: replaced
#: micrograd & program: Value=V
