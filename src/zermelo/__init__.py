"""zermelo solves two-player games on graphs: who wins, how, how fast, with a proof.

>>> import zermelo as zm
>>> g = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("a", "t")])
>>> s = zm.solve(g)
>>> print(s["a"])
a: WIN in 1 by t
>>> s.verify() is s
True
"""

from zermelo._runtime import start as _start  # noqa: F401  first: see there
from zermelo._runtime.lazy import import_on_use

__all__ = import_on_use(__name__)
