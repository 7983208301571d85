"""Graphs whose strong components are all symmetric, by maximum matchings; others are refused.

Reference: [EdmondsGurvich2010] Theorems 2 and 3. About O(√V · E) for each component. Differs from
the paper: see :mod:`zermelo.solvers.geography._settle`. Theorem 3 claims positional strategies, but
they need not exist if a component can be entered at several positions.
"""

from zermelo.solvers.geography._frame import framed

solve = framed("symacyclic", frozenset({"matching", "reversible"}))
