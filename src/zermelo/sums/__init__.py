"""Sums of impartial games: kernels, Sprague–Grundy values, loopy values, heaps, misère play."""
