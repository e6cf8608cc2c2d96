import sys

sys.exit("bye")

#: calls sys.exit\(bye\)
