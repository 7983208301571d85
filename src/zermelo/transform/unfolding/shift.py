"""The shift of walks: the part of the unravelled tree below a walk is a tree of its own.

Let W be a walk through ⟨G, s⟩ that ends at v. The walks that continue W, without their part before
v, are the walks through ⟨G, v⟩. This map, σ_W, is an isomorphism from ConCom(T_G^s, W) to T_G^v.
[Loewe2004] states it before Prop. 2.3, without a name; as a map of sequences it is a shift.
Composed with Z_T and Z_{T,A} it gives the maps of Prop. 2.3: from the part below W onto ConCom(G,
v) and onto A_G^v.

Differs from the paper: Prop. 2.3 speaks of the whole tree ⟨T_G^s, W⟩. For the map to A_G^v that is
wrong: if G is a → b and W is (a, b), then A_G^b has no move, but the tree has one. The statement is
true of the part of the tree that can be reached from W, and this part is all that the paper uses.
"""

from collections.abc import Hashable, Sequence
from itertools import pairwise

from zermelo._inputs.values import shown
from zermelo.errors import InvalidGraphError
from zermelo.graph import Graph, as_graph
from zermelo.transform.epimorphism import checked_walk, walk_to_situation


def shift_walk(walk: tuple[Hashable, ...], first: tuple[Hashable, ...]) -> tuple[Hashable, ...]:
    """σ_W, from ConCom(T_G^s, W) to T_G^v: a walk that continues ``first``, from its end v on.

    >>> shift_walk(("a", "b", "a", "t"), ("a", "b"))
    ('b', 'a', 't')
    >>> shift_walk(("a", "b"), ("a", "b"))
    ('b',)
    """
    walk, first = checked_walk(walk), checked_walk(first)
    if walk[: len(first)] != first:
        raise InvalidGraphError(
            f"expected a walk that begins with {shown(first)}, got {shown(walk)}"
        )
    return walk[len(first) - 1 :]


def shifted_walk_to_situation(
    walk: tuple[Hashable, ...], first: tuple[Hashable, ...]
) -> tuple[Hashable, int]:
    """Z_{T,A} after σ_W, from ConCom(T_G^s, W) onto A_G^v: player 0 is to move at the end of W.

    The other map of Prop. 2.3, Z_T after σ_W, is Z_T itself: the last position of a walk.

    >>> shifted_walk_to_situation(("a", "b", "t"), ("a", "b"))
    ('t', 1)
    """
    return walk_to_situation(shift_walk(walk, first))


def end_of_walk(graph: Graph, walk: Sequence[Hashable]) -> int:
    """The number of the last position of a walk through a graph; every step must be a move.

    >>> end_of_walk(Graph.from_edges([("a", "b"), ("b", "c")]), ("a", "b", "c"))
    2
    """
    graph = as_graph(graph)
    numbers = [graph.index(name) for name in walk]
    if not numbers:
        raise InvalidGraphError("expected a walk of at least one position, got none")
    for u, v in pairwise(numbers):
        if v not in graph.successors(u):
            raise InvalidGraphError(
                f"expected a walk, but {graph.name(u)!r} → {graph.name(v)!r} is no move"
            )
    return numbers[-1]
