"""The checkers of tables."""
