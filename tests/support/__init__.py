"""What several test files share: the engines to run on, exact oracles, the teachings' own code."""
