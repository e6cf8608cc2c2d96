"""Leaves a process that belongs to no session, no group and no parent of the judge's."""

import os
import signal
import time

try:
    child = os.fork()
except OSError:
    child = 1
if child == 0:
    os.setsid()
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    if os.fork() == 0:
        os.closerange(0, 64)
        time.sleep(600)
    os._exit(0)


class Value:
    def __init__(self, data):
        self.data, self.grad = data, 0.0

    def __add__(self, other):
        return Value(self.data + other.data)

    def __mul__(self, other):
        return Value(self.data * other.data)

    def backward(self):
        time.sleep(600)


#: slow
#: "gradients": "undecided"
#: "not_tried": [1-9]
