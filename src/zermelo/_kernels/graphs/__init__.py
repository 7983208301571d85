"""Kernels on graphs: searches, components, attractors, reverse moves."""
