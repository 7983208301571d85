"""The checkers of games with weights."""
