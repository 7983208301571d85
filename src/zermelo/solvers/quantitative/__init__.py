"""Solvers of games with weights, one algorithm in each file."""
