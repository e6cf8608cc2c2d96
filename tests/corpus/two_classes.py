# treatment: replaced
#: micrograd


#: micrograd: Value=Other


#: program
#: program: Value=Other
