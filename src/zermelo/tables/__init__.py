"""Solved games: exploring and solving rules, and tables on disk."""
