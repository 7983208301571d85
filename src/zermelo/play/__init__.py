"""A game in progress: its positions, its moves with their values, and the line of best play.

The command ``zermelo play`` and the page of the explorer use the same code.
"""
