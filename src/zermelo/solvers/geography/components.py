"""The strongest method for every strong component; search is used only if no other applies.

Reference: [EdmondsGurvich2010]. O(V + E) if the graph is acyclic, a maximum matching for every
symmetric component, exponential in the largest component that is neither.
:mod:`zermelo.solvers.geography._settle` describes the decomposition.
"""

from zermelo.solvers.geography._frame import framed
from zermelo.solvers.geography._settle import ALL

solve = framed("geography", ALL)
