"""Explanations: why a position has its answer."""
