"""Algorithms, one a file, by family."""
