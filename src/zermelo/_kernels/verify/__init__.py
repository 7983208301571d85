"""Kernels of checkers; only checkers import them."""
