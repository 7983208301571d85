"""Kernels that find the positions of games given by rules."""
