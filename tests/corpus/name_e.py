# treatment: replaced
#: micrograd: Value=E


#: program: Value=E
