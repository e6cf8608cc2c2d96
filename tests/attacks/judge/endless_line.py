import os

line = b"x" * (1 << 20)
for descriptor in range(3, 12):
    try:
        while True:
            os.write(descriptor, line)
    except OSError:
        pass

#: BadReplyError|the judge's pipe
