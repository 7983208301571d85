"""The checkers of values of impartial games."""
