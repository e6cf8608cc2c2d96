"""Other people's scripts, run with gradwalk's Value in place of their own scalar class.

    running     the script in this process, as Python would run it (start reading here)
    notebook    the code cells of a Jupyter notebook
    reading     facts from the text: which classes differentiate, and what the rest asks of them
    replacing   what the line behind a class calls, and what is told of it
    shape       which attribute and which parameter of a class plays which part
    trying      the class beside gradwalk's Value, in a child process: the plan of its replacement
    trials      the graphs that both are tried on
    verdicts    what was decided about a class, kept from run to run
    standin     gradwalk's Value dressed as the class, by that plan
    comparing   the script as written and with gradwalk, each in a process of its own

A class is found by its shape, not by its name. Each operation that gradwalk has too is tried at
many points, alone and inside graphs. Where the two differ by one bit, the script's own is kept on
gradwalk's Value, and so are methods that gradwalk lacks. What cannot be replaced runs as written,
with the reason.
"""
