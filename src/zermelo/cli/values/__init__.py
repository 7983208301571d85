"""The commands for values of games."""
