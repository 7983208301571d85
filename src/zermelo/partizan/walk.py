"""Bottom-up computations over the options of a value, without recursion.

A feature of a value (its thermograph, its atomic weight, …) is a fold: some values are leaves, and
the feature of any other value follows from those of its options. Each value is visited once.
"""

from collections.abc import Callable
from typing import TypeVar

from zermelo.partizan.store import STORE

T = TypeVar("T")


def fold(
    root: int,
    known: dict[int, T],
    leaf: Callable[[int], T | None],
    join: Callable[[int, list[T], list[T]], T],
) -> T:
    """The feature of ``root``; ``known`` has features of other values, and found ones are added.

    ``leaf`` gives the feature of a value whose options are not needed, else None. ``join`` gives
    the feature of any other value from those of its Left and Right options.

    >>> one = STORE.number(1, 0)
    >>> switch = STORE.make([one], [STORE.negate(one)])
    >>> fold(switch, {}, lambda _: None, lambda _, left, right: 1 + sum(left) + sum(right))
    5
    """
    if root in known:
        return known[root]
    stack = [root]
    # Invariant: a value on the stack without a feature is an option of a value below it, or the
    # root; it stays on the stack until all its options have their features.
    while stack:
        v = stack[-1]
        if v in known:
            stack.pop()
            continue
        feature = leaf(v)
        if feature is None:
            left, right = STORE.left(v), STORE.right(v)
            missing = [x for x in (*left, *right) if x not in known]
            if missing:
                stack += missing
                continue
            feature = join(v, [known[x] for x in left], [known[x] for x in right])
        known[v] = feature
        stack.pop()
    return known[root]
