"""Attacks on the checkers."""
