import contextlib
import os

LINES = [
    b"\xff\xfe\n",
    b"[]\n",
    b"{}\n",
    b"null\n",
    b'{"id": "start"}\n',
    b"[" * 100_000 + b"\n",
    b'{"id": "load", "classes": 3, "is_class": true, "names": [[]], "borrowed": []}\n',
]


class Value:
    for descriptor in range(3, 20):
        for line in LINES:
            with contextlib.suppress(OSError):
                os.write(descriptor, line)


#: BadReplyError|the judge's pipe
