#: micrograd: Value=Scalar data=value
