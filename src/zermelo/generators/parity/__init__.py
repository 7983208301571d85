"""Families of parity games."""
