"""The inessential vertices of a small graph, in plain Python: for checkers only.

These are the vertices that some maximum matching leaves exposed. Alternating trees are grown, one
exposed vertex at a time. A blossom is a set of vertices, which are all even. Each vertex stores
the *root* of its blossom: the member that is nearest to the root of the tree. When a vertex becomes
even, its path to the root of the tree is stored.
"""


def inessential(adjacent: dict[int, list[int]]) -> set[int]:
    """The vertices that some maximum matching leaves exposed; edges are in both rows.

    >>> sorted(inessential({0: [1], 1: [0, 2], 2: [1], 3: [4], 4: [3]}))
    [0, 2]
    """
    mate: dict[int, int] = {}
    for start in adjacent:
        if start not in mate:
            path = _tree(adjacent, mate, start)[1]
            for v, w in zip(path[::2], path[1::2], strict=True):
                mate[v], mate[w] = w, v
    return set().union(*(_tree(adjacent, mate, v)[0] for v in adjacent if v not in mate))


def _tree(
    adjacent: dict[int, list[int]], mate: dict[int, int], start: int
) -> tuple[set[int], list[int]]:
    """The even vertices of the tree from an exposed one, and an augmenting path if there is one.

    Each even vertex has its path to ``start``: v, mate, even vertex, mate, …, start.
    """
    path = {start: [start]}
    root = {start: start}
    odd: dict[int, int] = {}
    queue = [start]
    # Invariant: every even vertex has in path an alternating path of even length to the start, and
    # in root the root of its blossom; every other vertex of the tree has in odd the even one
    # before.
    for u in queue:
        for w in adjacent[u]:
            if w not in path and w not in odd:
                if w not in mate and w != start:
                    return set(path), [w, *path[u]]
                odd[w] = u
                m = mate[w]
                path[m], root[m] = [m, w, *path[u]], m
                queue.append(m)
            elif w in path and root[w] != root[u]:
                top = _meet(root, path, u, w)
                before = (path[u], path[w])
                for mine, other in (before, before[::-1]):
                    for k, x in enumerate(mine):
                        if x == top:
                            break
                        if x not in path:  # x was odd; the blossom gives it an even path
                            path[x] = [x, *reversed(mine[:k]), *other]
                            queue.append(x)
                    inside = {root.get(x, x) for x in mine[: mine.index(top)]}
                    for x in path:
                        if root.get(x, x) in inside:
                            root[x] = top
    return set(path), []


def _meet(root: dict[int, int], path: dict[int, list[int]], u: int, w: int) -> int:
    """The root of the first blossom that the paths of two even vertices share."""
    passed = {root[x] for x in path[u] if x in root}
    return next(root[x] for x in path[w] if x in root and root[x] in passed)
