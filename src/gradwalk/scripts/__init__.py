"""Other people's scripts, run with gradwalk's Value in place of the one they bring.

    running     the script in this process, as Python would run it (start reading here)
    reading     before it runs: where a `class Value` is, and whether it can be replaced at all
    replacing   at run time, with the script's own class in hand: what of it has to stay
    comparing   the script as written and with gradwalk, each in a process of its own

A script's class is defined as it stands, then asked: each operation that gradwalk has too is tried
at many points, and where the two differ by one bit the script's own is kept, on gradwalk's Value.
So are methods that gradwalk lacks. They build nodes by the constructor, of which gradwalk's takes
both known forms. Modules in the script's own folder are treated alike; `micrograd` is supplied.
What cannot be replaced is left as it is, with the reason.
"""
