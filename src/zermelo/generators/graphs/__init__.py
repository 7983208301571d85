"""Families of graphs."""
