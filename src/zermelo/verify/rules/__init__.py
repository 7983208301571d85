"""Checks of rules: what a user's members give, held against each other on samples."""
