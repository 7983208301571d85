"""Exact search in every strong component, even where a matching would do. Exponential.

Reference: [EdmondsGurvich2010] §2.3 for the tree of debuts, of which this searches what can differ.
The search itself is in :mod:`zermelo._kernels.geography`.
"""

from zermelo.solvers.geography._frame import framed

solve = framed("geography-search", frozenset({"search"}))
