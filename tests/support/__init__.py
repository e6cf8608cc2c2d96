"""What several test files share: the engines to run on, exact oracles, micrograd's own code."""
