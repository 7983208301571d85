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
from zermelo._runtime.services import provide

__all__ = import_on_use(__name__)

provide(
    {
        "write": "zermelo.formats.front:write",
        "graph-picture": "zermelo.draw.notebook:graph_svg",
        "graph-page": "zermelo.draw.notebook:graph_page",
        "solution-picture": "zermelo.draw.notebook:solution_svg",
        "explore-solution": "zermelo.web.notebook:explore_solution",
        "explore-thermograph": "zermelo.web.notebook:explore_thermograph",
        "play-solved": "zermelo.web.notebook:play_solved",
    }
)
