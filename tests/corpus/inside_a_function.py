# treatment: as written: class Value, 
def main():
    #: micrograd

    #: program


main()
