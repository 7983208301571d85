"""Plots of numbers, and what all pictures share: colours, the width of text, canvases."""
