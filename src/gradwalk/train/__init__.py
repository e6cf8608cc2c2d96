"""Training that is not a GPT's: `points` is the MLP that parts points in the plane."""
