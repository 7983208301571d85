"""Slow, plain answers from the definitions alone; no solver, kernel or checker is imported."""
