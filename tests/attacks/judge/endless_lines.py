import os

lines = b'{"id": 0}\n' * 100_000
for descriptor in range(3, 12):
    try:
        while True:
            os.write(descriptor, lines)
    except OSError:
        pass

#: slow
