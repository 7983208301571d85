"""Checks of rules: the members of a user's rules are compared with each other on samples."""
