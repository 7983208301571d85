"""Graphs whose strong components are all symmetric, by maximum matchings; others are refused.

Reference: [EdmondsGurvich2010] Theorems 2 and 3. O(√V · E) or so for each component. Differs from
the paper: see :mod:`zermelo.solvers.geography._settle`; and Theorem 3 promises positional
strategies, which there need not be where a component can be entered at several positions.
"""

from zermelo.solvers.geography._frame import framed

solve = framed("symacyclic", frozenset({"matching", "reversible"}))
