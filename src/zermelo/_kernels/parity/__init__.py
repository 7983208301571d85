"""Kernels of parity games."""
