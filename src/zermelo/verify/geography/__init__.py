"""The checkers of games of return and repetition."""
