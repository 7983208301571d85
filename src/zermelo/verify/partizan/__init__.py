"""The checkers of values of partizan games."""
