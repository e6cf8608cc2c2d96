"""Training from the command line: `commands` are what `gradwalk gpt` and `gradwalk train` run,
`points` is the MLP that parts points in the plane, `terminal` what they share.
"""
