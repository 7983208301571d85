"""The strongest method for every strong component; only what nothing else decides is searched.

Reference: [EdmondsGurvich2010]. O(V + E) where the graph is acyclic, a maximum matching for every
symmetric component, exponential in the largest component that is neither. How a graph is taken
apart is told in :mod:`zermelo.solvers.geography._settle`.
"""

from zermelo.solvers.geography._frame import framed
from zermelo.solvers.geography._settle import ALL

solve = framed("geography", ALL)
