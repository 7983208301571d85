"""Kernels of tables: solving, writing and probing."""
