"""Exact search in every strong component, even if a matching would decide it. Exponential.

Reference: [EdmondsGurvich2010] §2.3 for the tree of debuts; only situations that differ are
searched. The search itself is in :mod:`zermelo._kernels.geography.search`.
"""

from zermelo.solvers.geography._frame import framed

solve = framed("geography-search", frozenset({"search"}))
