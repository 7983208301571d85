"""Loopy games in simplest form; equal stoppers are the same object.

A *form* is a position of a finite graph with cycles. Its options are forms or, if play from them is
finite, :class:`~zermelo.partizan.value.Value`. The forms of a strong component are made together.
Their *digest* distinguishes them: a hash of the options' digests, refined often enough to
distinguish any two positions of graphs of this size. So the digest depends only on the game, and
positions with the same digest are bisimilar.

Reference: [Siegel2013] ch. VI.
"""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from types import MappingProxyType
from typing import TypeAlias

from zermelo.errors import LimitError
from zermelo.partizan.loopy.survival import Rows, alternating, components, union
from zermelo.partizan.store import STORE
from zermelo.partizan.value import Value

FOLLOWERS = 2000
"""Games with more positions than this are not compared."""


class Form:
    """One position of a loopy game in simplest form; made by :func:`intern`."""

    __slots__ = ("digest", "is_stopper", "left", "right")

    left: tuple["Node", ...]
    right: tuple["Node", ...]

    def __init__(self, digest: bytes, is_stopper: bool) -> None:
        self.digest, self.is_stopper = digest, is_stopper


Node: TypeAlias = Value | Form
"""A position with a known value: a Value if play is finite, else a Form."""

Option: TypeAlias = int | Value | Form
"""The number of a position that is not yet a node, or a node."""

Options: TypeAlias = Sequence[Sequence[Option]]

NONE: Mapping[int, bytes] = MappingProxyType({})

_FORMS: dict[bytes, Form] = STORE.memo()
_BY_OPTIONS: dict[bytes, Form] = STORE.memo()
_NAMED: dict[str, Form] = STORE.memo()
_DIGESTS: dict[int, bytes] = STORE.memo()


def zero() -> Value:
    """The value 0."""
    return Value.from_number(0)


def on() -> Form:
    """on = {pass|}: Left can move for ever."""
    return _loop("on", [[0]], [[]])


def off() -> Form:
    """off = {|pass}."""
    return _loop("off", [[]], [[0]])


def over() -> Form:
    """over = {0|pass}, less than every positive number."""
    return _loop("over", [[zero()]], [[0]])


def _loop(name: str, left: Options, right: Options) -> Form:
    if name not in _NAMED:
        (form,) = intern(left, right)
        assert isinstance(form, Form)
        _NAMED[name] = form
    return _NAMED[name]


def is_stopper(node: Node) -> bool:
    """Whether alternating play must end, from every position that the node leads to."""
    return isinstance(node, Value) or node.is_stopper


def _hash(*parts: bytes) -> bytes:
    return blake2b(b"".join(len(x).to_bytes(4, "big") + x for x in parts), digest_size=16).digest()


def digest(node: Node) -> bytes:
    """A digest; two nodes have the same digest only if they are bisimilar."""
    if isinstance(node, Form):
        return node.digest
    if node.id not in _DIGESTS:
        _DIGESTS[node.id] = _hash(b"value", str(node).encode())
    return _DIGESTS[node.id]


def _sign(
    left: Iterable[Option], right: Iterable[Option], colour: Mapping[int, bytes] = NONE
) -> bytes:
    """A hash of the digests of both players' options; unfinished positions have colours instead."""
    return _hash(
        *(
            _hash(*sorted({colour[x] if isinstance(x, int) else digest(x) for x in row}))
            for row in (left, right)
        )
    )


def followers(nodes: Iterable[Node]) -> dict[Node, int]:
    """The nodes and all their followers, numbered."""
    place = {x: k for k, x in enumerate(dict.fromkeys(nodes))}
    waiting = list(place)
    for x in waiting:
        for y in (*x.left, *x.right):
            if y not in place:
                place[y] = len(place)
                waiting.append(y)
        check_size(len(place))
    return place


def check_size(positions: int) -> None:
    """Refuse a game that leads to too many positions."""
    if positions > FOLLOWERS:
        raise LimitError(
            f"a loopy game leads to more than {FOLLOWERS:,} positions; too many to compare"
        )


def rows_of(place: dict[Node, int]) -> Rows:
    """The graph of nodes; it must contain all their followers."""
    return Rows(
        [[place[y] for y in x.left] for x in place], [[place[y] for y in x.right] for x in place]
    )


def inside(options: Options) -> list[list[int]]:
    """The options that are positions, without those that are nodes."""
    return [[x for x in row if isinstance(x, int)] for row in options]


def intern(left: Options, right: Options) -> list[Node]:
    """The nodes of a graph in simplest form; an option is the number of a position or a node.

    >>> on, = intern([[0]], [[]])
    >>> on.left == (on,), on.right, on.is_stopper
    (True, (), True)
    >>> intern([[0]], [[]])[0] is on
    True
    """
    rows = Rows(inside(left), inside(right))
    circling = alternating(rows)
    known: list[Node | None] = [None] * len(left)

    def resolve(x: Option) -> Option:
        return x if not isinstance(x, int) else y if (y := known[x]) is not None else x

    for part in components(union(rows)):
        own = [[resolve(x) for x in left[v]] for v in part]
        other = [[resolve(x) for x in right[v]] for v in part]
        nodes = _component(part, own, other, any(circling[v] for v in part))
        for v, node in zip(part, nodes, strict=True):
            known[v] = node
    return [x for x in known if x is not None]


def _component(part: list[int], left: Options, right: Options, circling: bool) -> list[Node]:
    """The nodes of a strong component; all options outside of it are nodes already."""
    given = {x for row in (*left, *right) for x in row if not isinstance(x, int)}
    if not any(map(len, inside([*left, *right]))):
        if all(isinstance(x, Value) for x in given):
            return [Value.from_options(left[0], right[0])]
        if (same := _BY_OPTIONS.get(_sign(left[0], right[0]))) is not None:
            return [same]
    key = _digests(part, left, right)
    stopper = not circling and all(map(is_stopper, given))
    known: dict[bytes, Form] = {}
    fresh = []
    for v, a, b in zip(part, left, right, strict=True):
        if key[v] not in known:
            if (form := _FORMS.get(key[v])) is None:
                form = _FORMS.setdefault(key[v], Form(key[v], stopper))
                fresh.append((form, a, b))
            known[key[v]] = form
    for form, *both in fresh:
        rows = ({known[key[x]] if isinstance(x, int) else x for x in row} for row in both)
        form.left, form.right = (tuple(sorted(row, key=digest)) for row in rows)
        _BY_OPTIONS[_sign(form.left, form.right)] = form
    return [known[key[v]] for v in part]


def _digests(part: list[int], left: Options, right: Options) -> dict[int, bytes]:
    """The digests of a strong component.

    Colours are refined by those of the options until no class splits. Then each colour has one set
    of colours of options for each player. These sets and the colour itself determine a position up
    to bisimilarity, so they are hashed.
    """
    colour = dict.fromkeys(part, b"")
    classes = 0
    # Invariant: positions of different colours are not bisimilar.
    while len(set(colour.values())) > classes:
        classes = len(set(colour.values()))
        finer = {v: _sign(a, b, colour) for v, a, b in zip(part, left, right, strict=True)}
        table = _hash(*sorted({_hash(colour[v], finer[v]) for v in part}))
        colour = finer
    return {v: _hash(table, colour[v]) for v in part}
