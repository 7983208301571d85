"""The checkers of games of infinite duration and of controllers."""
