#: micrograd
