"""Families of games with weights."""
