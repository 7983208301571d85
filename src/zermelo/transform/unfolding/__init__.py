"""Graphs made from a graph: unfoldings, line digraphs, new starts."""
