"""Kernels of sums of impartial games."""
