"""Heap games: codes, nim-values, periods."""
