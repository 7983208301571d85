"""Solvers of games of return and repetition."""
