"""Traces: how a game is solved, step by step."""
