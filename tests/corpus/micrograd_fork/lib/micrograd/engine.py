class Value:
    #: init

    #: add: `data,` → `data + 0.1,`

    #: mul & radd & rmul & backward & repr
