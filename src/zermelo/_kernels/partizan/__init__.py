"""Kernels of partizan games."""
