"""Impartial games, one game in each file."""
