# treatment: replaced
#: micrograd & program: Value=E
