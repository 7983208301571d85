"""The checker of maximum matchings: NumPy and one plain search, no code of the algorithm.

Let D, A and C be the claimed parts. This is checked:

1. *A matching.* Mates are mutual, and a move joins them.
2. *Maximum.* |M| = (n + |A| − odd(G − A)) / 2, where odd counts the components with an odd number
   of positions. No matching is larger: in each such component one position is exposed or matched
   to A ([Berge1958]).
3. *Even components.* A component of G − A that contains a position of C is even. By the equality
   in 2, every maximum matching is perfect on the even components and matches all of A with odd
   components, each with a different one. So no position outside D is ever exposed.
4. Some maximum matching exposes each position of D: an alternating path of even length leads to it
   from an exposed position. This takes one search with blossoms on D and A, in plain Python.

So D is the set of positions that some maximum matching leaves exposed. By 3 it lies in the odd
components of G − A, which contain no position of C. So the neighbours of D outside D are in A, and
each position of A has its mate in D. So the parts are those of Gallai and Edmonds.
"""

from typing import TYPE_CHECKING

import numpy as np

from zermelo.errors import CertificateError
from zermelo.verify.common.entries import check_array, refuse

if TYPE_CHECKING:
    from zermelo.graph import Graph
    from zermelo.labels import AnyArray, Int64Array
    from zermelo.matching.maximum import Matching

    Edges = tuple[AnyArray, AnyArray]

_D, _A, _C = 0, 1, 2


def check_matching(matching: "Matching") -> None:
    """Raise :class:`~zermelo.errors.CertificateError` unless matching and parts are right.

    >>> import dataclasses, numpy as np, zermelo as zm
    >>> m = zm.maximum_matching(zm.Graph.from_edges([("a", "b"), ("b", "c")]))
    >>> check_matching(m)
    >>> check_matching(dataclasses.replace(m, mate=np.array([-1, -1, -1], np.int32)))
    Traceback (most recent call last):
    zermelo.errors.CertificateError: expected 1 edge by the witness, the matching has 0
    >>> check_matching(dataclasses.replace(m, part=np.array([0, 1, 2], np.int8)))
    Traceback (most recent call last):
    zermelo.errors.CertificateError: position 'c': expected an even component, the solution ...
    """
    graph, mate, part = matching.graph, matching.mate, matching.part
    edges = _edges(graph)
    _check_mates(graph, edges, mate)
    check_array("part", part, (graph.n,), np.int8)
    refuse(graph, (part < _D) | (part > _C), None, "a part D = 0, A = 1 or C = 2", "another")
    component = _components(edges, part)
    _check_equality(mate, part, component)
    size = np.bincount(component, minlength=graph.n)
    odd = (part == _C) & (size[component] % 2 == 1)
    refuse(graph, odd, None, "an even component", "C")
    reached = _reached(graph.n, *edges, mate, part)
    refuse(graph, (part == _D) & ~reached, None, "to be in every maximum matching", "D")


def _edges(graph: "Graph") -> "Edges":
    """All moves that are not loops, in both directions."""
    source = np.repeat(np.arange(graph.n, dtype=np.int32), np.diff(graph.indptr))
    target = graph.indices
    proper = source != target
    source, target = source[proper], target[proper]
    return np.concatenate([source, target]), np.concatenate([target, source])


def _check_mates(graph: "Graph", edges: "Edges", mate: "AnyArray") -> None:
    """Condition 1."""
    check_array("mate", mate, (graph.n,), np.int32)
    own = np.arange(graph.n)
    refuse(graph, (mate < -1) | (mate >= graph.n), None, "a mate or -1", "another number")
    lonely = mate < 0
    refuse(graph, ~lonely & (mate[mate] != own), None, "a mate whose mate it is", "another")
    source, target = edges
    joined = np.zeros(graph.n, bool)
    joined[source[mate[source] == target]] = True
    refuse(graph, ~lonely & ~joined, None, "a mate that a move joins it with", "another")


def _check_equality(mate: "AnyArray", part: "AnyArray", component: "Int64Array") -> None:
    """Condition 2."""
    n = mate.size
    size = np.bincount(component[part != _A], minlength=n)
    bound = (n + int((part == _A).sum()) - int((size % 2).sum())) // 2
    size_of_matching = int((mate >= 0).sum()) // 2
    if bound != size_of_matching:
        edges = f"{bound} edge{'' if bound == 1 else 's'}"
        raise CertificateError(
            f"expected {edges} by the witness, the matching has {size_of_matching}"
        )


def _components(edges: "Edges", part: "AnyArray") -> "Int64Array":
    """The least member of each position's component in G − A; those of A are alone."""
    source, target = edges
    inside = (part[source] != _A) & (part[target] != _A) & (source > target)
    source, target = source[inside], target[inside]
    least = np.arange(part.size, dtype=np.int64)
    # Invariant: least[v] is in the component of v and at most v. Every remaining edge joins two
    # stars; a round joins a star to a smaller adjacent one, and then makes the trees stars again.
    while source.size:
        np.minimum.at(least, source, target)
        while True:
            up = least[least]
            if np.array_equal(up, least):
                break
            least = up
        source, target = least[source], least[target]
        apart = source != target
        source, target = source[apart], target[apart]
        source, target = np.maximum(source, target), np.minimum(source, target)
    return least


def _reached(
    n: int, source: "AnyArray", target: "AnyArray", mate: "AnyArray", part: "AnyArray"
) -> "AnyArray":
    """The positions that even alternating paths from exposed positions reach, by moves from D.

    Requires a maximum matching: then no edge joins the trees of two exposed positions.
    """
    inside = part[source] == _D
    source, target = source[inside], target[inside]
    order = np.argsort(source, kind="stable")
    heads: list[int] = target[order].tolist()
    start: list[int] = np.searchsorted(source[order], np.arange(n + 1)).tolist()
    mates: list[int] = mate.tolist()
    even, odd = (mate < 0).tolist(), [False] * n
    before = [-1] * n  # for an odd position: the even position before it
    base = list(range(n))

    def blossom(v: int) -> int:
        root = v
        while base[root] != root:
            root = base[root]
        while base[v] != root:
            base[v], v = root, base[v]
        return root

    def up(b: int) -> int:
        return -1 if mates[b] < 0 else blossom(before[mates[b]])

    queue = [v for v in range(n) if even[v]]
    # Invariant: an even alternating path leads to each even position and to all of its blossom.
    for u in queue:
        for w in heads[start[u] : start[u + 1]]:
            if even[w]:
                a, b = blossom(u), blossom(w)
                passed: set[int] = set()
                while a not in passed and a != b:
                    if a >= 0:
                        passed.add(a)
                        a = up(a)
                    a, b = b, a
                top = a
                for end in (u, w):
                    b = blossom(end)
                    while b != top:
                        m = mates[b]
                        even[m] = True
                        queue.append(m)
                        higher = blossom(before[m])
                        base[b] = base[m] = top
                        b = higher
            elif not odd[w]:
                m = mates[w]
                odd[w], before[w], even[m] = True, u, True
                queue.append(m)
    return np.array(even, bool)
