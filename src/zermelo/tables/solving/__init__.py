"""Solving a game given by rules: exploring, waves, their progress."""
