"""Bounded epimorphisms: the maps between graphs that preserve the value of every game."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._inputs.values import plain_array, shown, whole_number
from zermelo.errors import InvalidGraphError, InvalidOptionError
from zermelo.graph import Graph, as_graph
from zermelo.labels import Int64Array

MappingLike = Mapping[Any, Hashable] | Callable[[Any], Hashable] | npt.ArrayLike
"""A map from the positions of one graph to those of another: by name, or an array by number."""


@dataclass(frozen=True)
class EpimorphismReport:
    """Whether a map is a bounded epimorphism; the report converts to a Boolean.

    ``condition`` is the first condition of [Loewe2004] §2.1 that fails, or 0: (1) the root maps to
    the root, (2) the map is onto, (3) moves map to moves, (4) moves of the image lift. Condition 5
    is added here, for two owned graphs: owners are preserved. ``witness`` names positions that
    violate the condition.
    """

    condition: int
    witness: tuple[Hashable, ...]
    message: str

    def __post_init__(self) -> None:
        number = whole_number(self.condition, "condition", 0, 5)
        object.__setattr__(self, "condition", number)
        if not isinstance(self.witness, tuple) or not isinstance(self.message, str):
            raise InvalidOptionError("expected a tuple of positions and a message")

    def __bool__(self) -> bool:
        return self.condition == 0

    def __str__(self) -> str:
        return self.message if self else f"condition {self.condition}: {self.message}"


def check_bounded_epimorphism(
    g: Graph, s: Hashable, h: Graph, t: Hashable, mapping: MappingLike
) -> EpimorphismReport:
    """Whether a map is a bounded epimorphism from ⟨g, s⟩ to ⟨h, t⟩, and if not, why.

    O((V + E) log E). ``mapping`` is an array with a position number of ``h`` for each position of
    ``g``, or a mapping or a function from names to names.

    >>> g = Graph.from_edges([("a", "b"), ("b", "a")])
    >>> loop = Graph.from_edges([("x", "x")])
    >>> print(check_bounded_epimorphism(g, "a", loop, "x", lambda name: "x"))
    a bounded epimorphism
    >>> h = Graph.from_edges([("x", "x"), ("x", "y")])
    >>> print(check_bounded_epimorphism(g, "a", h, "x", {"a": "x", "b": "y"}))
    condition 3: 'b' → 'a' is a move, 'y' → 'x' is none
    """
    z = as_array(g, h, mapping)
    a, b = g.name, h.name
    root, wanted = g.index(s), h.index(t)
    if z[root] != wanted:
        image = b(int(z[root]))
        return EpimorphismReport(1, (a(root), image), f"{s!r} maps to {image!r}, not to {t!r}")
    missed = np.bincount(z, minlength=h.n) == 0
    if missed.any():
        w = int(np.argmax(missed))
        return EpimorphismReport(2, (b(w),), f"nothing maps to {b(w)!r}")
    sources = np.repeat(np.arange(g.n), g.out_degree)
    images = z[g.indices]
    lost = ~_has_moves(h, z[sources], images)
    if lost.any():
        k = int(np.argmax(lost))
        u, v = int(sources[k]), int(g.indices[k])
        x, y = b(int(z[u])), b(int(z[v]))
        return EpimorphismReport(
            3, (a(u), a(v), x, y), f"{a(u)!r} → {a(v)!r} is a move, {x!r} → {y!r} is none"
        )
    # All moves map to moves. They lift iff each position has as many images as its image has moves.
    distinct = np.unique(sources * np.int64(h.n) + images)
    image_counts = np.bincount(distinct // h.n, minlength=g.n) if g.n else distinct
    short = image_counts < h.out_degree[z]
    if short.any():
        v = int(np.argmax(short))
        w = int(np.setdiff1d(h.successors(int(z[v])), z[g.successors(v)])[0])
        x = b(int(z[v]))
        return EpimorphismReport(
            4,
            (a(v), x, b(w)),
            f"{x!r} → {b(w)!r} is a move, but {a(v)!r} has none to a position over {b(w)!r}",
        )
    if g.owner is not None and h.owner is not None and (wrong := g.owner != h.owner[z]).any():
        v = int(np.argmax(wrong))
        x = b(int(z[v]))
        return EpimorphismReport(5, (a(v), x), f"{a(v)!r} and {x!r} have different owners")
    return EpimorphismReport(0, (), "a bounded epimorphism")


def is_bounded_epimorphism(
    g: Graph, s: Hashable, h: Graph, t: Hashable, mapping: MappingLike
) -> bool:
    """Whether a map is a bounded epimorphism; see :func:`check_bounded_epimorphism`.

    >>> g = Graph.from_edges([(0, 1), (1, 2)])
    >>> is_bounded_epimorphism(g, 0, g, 0, [0, 1, 2])
    True
    """
    return bool(check_bounded_epimorphism(g, s, h, t, mapping))


# -------------------------------------------------------------------- Proposition 2.2


def walk_to_position(walk: tuple[Hashable, ...]) -> Hashable:
    """Löwe's Z_T, from T_G^s onto G: the last position of a walk.

    >>> walk_to_position(("a", "b", "t"))
    't'
    """
    return checked_walk(walk)[-1]


def situation_to_position(situation: tuple[Hashable, int]) -> Hashable:
    """Löwe's Z_A, from A_G^s onto G: the position of a situation.

    >>> situation_to_position(("a", 1))
    'a'
    """
    if not isinstance(situation, tuple) or len(situation) != 2:
        raise InvalidGraphError(
            f"expected a situation, a pair (position, player), got {shown(situation)}"
        )
    return situation[0]


def walk_to_situation(walk: tuple[Hashable, ...]) -> tuple[Hashable, int]:
    """Löwe's Z_{T,A}, from T_G^s onto A_G^s: the last position and the player to move there.

    >>> walk_to_situation(("a", "b"))
    ('b', 1)
    """
    return checked_walk(walk)[-1], (len(walk) - 1) % 2


def checked_walk(walk: Any) -> tuple[Hashable, ...]:
    """A walk that is given as a tuple of positions, at least one."""
    try:
        good = isinstance(walk, tuple) and len(walk) > 0 and isinstance(hash(walk), int)
    except TypeError:
        good = False
    if not good:
        raise InvalidGraphError(f"expected a walk, a tuple of positions, got {shown(walk)}")
    return walk  # type: ignore[no-any-return]


# -------------------------------------------------------------------- helpers


def as_array(g: Graph, h: Graph, mapping: MappingLike) -> Int64Array:
    """A map from ``g`` to ``h`` as an array of position numbers.

    >>> g = Graph.from_edges([("a", "b")])
    >>> as_array(g, g, {"a": "b", "b": "b"}).tolist()
    [1, 1]
    """
    g, h = as_graph(g, cut=True), as_graph(h, cut=True)
    if isinstance(mapping, Mapping):
        missing = [name for name in g if name not in mapping]
        if missing:
            raise InvalidGraphError(f"mapping: {missing[0]!r} has no image")
        listed = [h.index(mapping[name]) for name in g]
        return np.array(listed, np.int64)
    if callable(mapping):
        return np.array([h.index(mapping(name)) for name in g], np.int64)
    z = plain_array(mapping, "mapping", InvalidGraphError)
    if z.shape != (g.n,):
        raise InvalidGraphError(f"mapping: expected {g.n} entries, got shape {z.shape}")
    if z.size == 0:
        return np.zeros(0, np.int64)
    if z.dtype.kind not in "iu":
        raise InvalidGraphError(f"mapping: expected position numbers, got {z.dtype}")
    if not 0 <= z.min() <= z.max() < h.n:
        bad = int(z[(z < 0) | (z >= h.n)][0])
        raise InvalidGraphError(f"mapping: expected positions 0 … {h.n - 1}, got {bad}")
    return z.astype(np.int64)


def _has_moves(h: Graph, sources: Int64Array, targets: Int64Array) -> npt.NDArray[np.bool_]:
    """Which of the pairs are moves of ``h``."""
    if h.m == 0:
        return np.zeros(sources.size, bool)
    n = np.int64(h.n)
    keys = np.repeat(np.arange(h.n), h.out_degree) * n + h.indices  # increasing: rows are sorted
    wanted = sources * n + targets
    place = np.minimum(np.searchsorted(keys, wanted), keys.size - 1)
    present: npt.NDArray[np.bool_] = keys[place] == wanted
    return present
