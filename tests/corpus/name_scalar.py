# treatment: replaced
#: micrograd: Value=Scalar data=value


#: program: Value=Scalar data=value
