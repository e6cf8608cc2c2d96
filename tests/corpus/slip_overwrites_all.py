# treatment: as written: its + and * are not gradwalk
class Value:
    #: init: `set(_children)` → `_children`

    #: add: `+=` → `=`

    #: mul: `+` → ``

    #: radd & rmul & backward & repr


#: program: `(a * b + a)` → `a * b + b`
