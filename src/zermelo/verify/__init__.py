"""Checkers, one for each kind of solution; they import neither solvers nor kernels."""
