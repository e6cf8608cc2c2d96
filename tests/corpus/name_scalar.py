# treatment: replaced
#: micrograd & program: Value=Scalar data=value
