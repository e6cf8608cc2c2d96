while True:
    pass

#: slow
#: did not end within 0\.5 s
