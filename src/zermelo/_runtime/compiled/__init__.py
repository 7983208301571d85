"""Compiled code: making it, keeping it, calling it."""
