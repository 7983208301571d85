"""Kernels of matchings and of games of no return."""
