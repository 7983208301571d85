"""Muller games, by parity automata."""
