"""Impartial games, one a file."""
