"""Families of games, one in each file; the registry has their table.

Every family returns a :class:`~zermelo.game.Game`; only ``all_digraphs`` yields graphs.

>>> from zermelo.generators import grid, random_graph
>>> random_graph(100, degree=2.5, law="geometric", seed=7).graph.n
100
>>> grid(4, 4, moves="king")
Game(normal on Graph(16 positions, 84 moves, 0 terminals))
"""

from zermelo._runtime.lazy import import_on_use

__all__ = import_on_use(__name__)
