"""The commands for games that are given by rules, and for tables."""
