"""Maximum matchings of parts of a symmetric graph whose sets of positions are bits of integers.

The search for EGGS values asks many small questions about parts of one graph: which positions does
some maximum matching of this part leave exposed? :mod:`zermelo.matching` answers one question about
a large graph; here a part is an integer, a matching is a dict, and one alternating tree at a time
is grown. A failed tree is never entered again, so its even vertices are known for good.

Reference: [Edmonds1965].
"""

from collections.abc import Iterator


def bits(mask: int) -> Iterator[int]:
    """The positions of a set, in increasing order.

    >>> list(bits(0b1011))
    [0, 1, 3]
    """
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def exposed_in_some(
    adjacent: list[int], part: int, mate: dict[int, int] | None = None
) -> tuple[dict[int, int], int]:
    """A maximum matching of a part, and the positions that some maximum matching leaves exposed.

    ``adjacent`` has the neighbours of each position. ``mate`` is a matching to begin with; its
    edges outside the part are ignored.

    >>> exposed_in_some([0b010, 0b101, 0b010], 0b111)
    ({0: 1, 1: 0}, 5)
    """
    found: dict[int, int] = {}
    if mate is not None:
        found = {v: w for v, w in mate.items() if part >> v & 1 and part >> w & 1}
    free = part
    for v in found:
        free ^= 1 << v
    for v in bits(free):
        near = adjacent[v] & free
        if near and free >> v & 1:
            w = (near & -near).bit_length() - 1
            found[v], found[w] = w, v
            free ^= 1 << v | 1 << w
    even, failed = 0, 0
    # Invariant: ``failed`` are the positions of failed trees, which no augmenting path enters;
    # ``even`` are their even ones.
    for root in bits(free):
        if root in found:
            continue
        reached, tree = grow(adjacent, part & ~failed, found, root)
        if reached:
            even |= reached
            failed |= tree
    return found, even


def grow(adjacent: list[int], part: int, mate: dict[int, int], root: int) -> tuple[int, int]:
    """Grow an alternating tree from an exposed position of a part.

    If it meets another exposed position, the matching is made larger, and the result is (0, 0).
    Else the result is the even positions of the tree, and all of its positions. A mate of the root
    that is not in the part does not count.

    >>> grow([0b010, 0b101, 0b010], 0b111, {1: 2, 2: 1}, 0)
    (5, 7)
    """
    parent: dict[int, int] = {}
    base: dict[int, int] = {root: root}
    even = tree = 1 << root
    queue = [root]
    # Invariant: each position of queue is even: an alternating path of even length leads to it from
    # the root. An odd position has in parent the even one before it; an even one of a blossom has
    # the one before it on the other way round. base is the base of the blossom.
    for u in queue:
        for w in bits(adjacent[u] & part):
            if mate.get(u) == w or base[u] == base.get(w, w):
                continue
            if even >> w & 1:
                top = _common_base(mate, parent, base, (u, w, root))
                inside: set[int] = set()
                _mark(mate, parent, base, inside, u, top, w)
                _mark(mate, parent, base, inside, w, top, u)
                for x in bits(tree):
                    if base.get(x, x) in inside:
                        base[x] = top
                        if not even >> x & 1:
                            even |= 1 << x
                            queue.append(x)
            elif w not in parent:
                parent[w] = u
                tree |= 1 << w
                if w not in mate:
                    _exchange(mate, parent, w)
                    return 0, 0
                m = mate[w]
                base[w], base[m] = w, m
                even |= 1 << m
                tree |= 1 << m
                queue.append(m)
    return even, tree


def _exchange(mate: dict[int, int], parent: dict[int, int], v: int) -> None:
    """Exchange the edges on the path from the root to the exposed position v."""
    end: int | None = v
    while end is not None:
        before = parent[end]
        after = mate.get(before)
        mate[end], mate[before] = before, end
        end = after


def _common_base(
    mate: dict[int, int],
    parent: dict[int, int],
    base: dict[int, int],
    ends: tuple[int, int, int],
) -> int:
    """The base where the ways of two even positions to the root meet."""
    u, w, root = ends
    x = base[u]
    passed = {x}
    while x != root:
        x = base[parent[mate[x]]]
        passed.add(x)
    x = base[w]
    while x not in passed:
        x = base[parent[mate[x]]]
    return x


def _mark(
    mate: dict[int, int],
    parent: dict[int, int],
    base: dict[int, int],
    inside: set[int],
    v: int,
    top: int,
    child: int,
) -> None:
    """Collect the bases from v up to ``top``, and let the parents lead the other way round."""
    while base[v] != top:
        m = mate[v]
        inside |= {base[v], base[m]}
        parent[v] = child
        child = m
        v = parent[m]
