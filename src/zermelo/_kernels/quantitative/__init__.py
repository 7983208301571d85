"""Kernels of games with weights."""
