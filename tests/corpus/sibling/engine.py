#: constructor

    #: arithmetic

    #: backward
