"""Loopy games: partizan games with cycles."""
