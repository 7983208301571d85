"""Pictures of graphs and solutions: SVG always, PNG and PDF with Graphviz or Matplotlib."""

from zermelo.draw.drawing import draw, svg

__all__ = ["draw", "svg"]
