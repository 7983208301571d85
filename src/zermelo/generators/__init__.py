"""Families of graphs, one a file."""
