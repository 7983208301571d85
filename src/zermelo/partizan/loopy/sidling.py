"""The two sides of loopy games: their values if infinite play is a win for one of the players.

The *onside* of G is the simplest game S with S⁺ = G⁺, and the *offside* is the simplest T with
T⁻ = G⁻. If both are stoppers, they determine G in sums with stoppers, and G is written S & T. A
stopper is both of its sides. Strong components are handled one after the other, options first.
Comparisons are those of :mod:`zermelo.partizan.loopy.stoppers`:

1. A move to a position w may lead instead to a known node that equals w and does not lead back.
   This changes no value: Left copies Right's moves in the difference of the graphs before and
   after, until one of the two copies is at w and the other at the node, and these are equal. Then
   dominated options are deleted and reversible ones are bypassed. If alternating play must now
   end, the position is a stopper, and its canonical form is the onside.
2. Otherwise *sidling* is tried. For stoppers x(v), one for each position, let
   x'(v) = {x(vᴸ) | x(vᴿ)}. Sidling begins with x(v) = on and replaces x by x' until they are equal.
   Then x(v) is the onside of v, by the following lemma.
3. Otherwise moves on alternating cycles are deleted one by one if every position keeps its value;
   this is tested in both directions.

If a cycle remains after that, no stopper is found for this side (Bach's *carousel* has none). The
position can still be compared, added and played.

**Lemma.** (a) If x(v)⁺ ≥ v⁺ for all v, then x'(v)⁺ ≥ v⁺ for all v. (b) If x'(v) = x(v) for all v,
then v⁺ ≥ x(v)⁺ for all v. Proof. (a) In x'(v) − v Left, moving second, answers the move to x(vᴿ) by
the move to vᴿ and the move to vᴸ by the move to x(vᴸ), and then survives. (b) In v − x(v) she keeps
to positions p − h, Right to move, with x(p) ≥ h, which is x'(p) ≥ h. If Right moves from h to hᴸ,
she has an answer in x'(p) − hᴸ: either x(pᴸ) ≥ hᴸ, and she moves to pᴸ, or x(p) ≥ hᴸᴿ, and she
moves to hᴸᴿ. If he moves from p to pᴿ, compare this with a move from x'(p) to x(pᴿ): she has an
answer in x'(pᴿ) − h: either x(pᴿᴸ) ≥ h, and she moves to pᴿᴸ, or x(pᴿ) ≥ hᴿ, and she moves to hᴿ.
Infinite play has infinitely many moves in v, because h is a position of a stopper.

Reference: [Siegel2013] ch. VI; [BerlekampConwayGuy2001] ch. 11 (sidling towards a game). Differs
from the sources: there sidling is done by hand, here it stops after a fixed number of rounds. If no
sides are found, this does not prove that there are none; :mod:`zermelo.verify.partizan.loopy` tests
the sides that are found.
"""

from collections.abc import Sequence

from zermelo.partizan.loopy.forms import (
    Form,
    Node,
    Option,
    Options,
    followers,
    inside,
    intern,
    is_stopper,
    off,
    on,
)
from zermelo.partizan.loopy.stoppers import Simplification
from zermelo.partizan.loopy.survival import Rows, alternating, components, survives, union
from zermelo.partizan.store import STORE
from zermelo.partizan.value import Value

ROUNDS = 12
"""The number of rounds after which sidling stops."""

_MIRRORED: dict[Form, Node] = STORE.memo()


def onsides(left: Options, right: Options) -> list[Node]:
    """The onside of each position of a graph; an option is a position's number or an onside.

    >>> tis = onsides([[1], []], [[], [0]])             # a = {{|a}|}
    >>> [str(x) for x in tis]
    ['1', '0']
    >>> onsides([[0]], [[0]])[0] is on()                # dud
    True
    """
    known: dict[int, Node] = {}
    rows = Rows(inside(left), inside(right))
    for part in components(union(rows)):
        local = {v: k for k, v in enumerate(part)}

        own, other = (
            [[_settled(x, local, known) for x in side[v]] for v in part] for side in (left, right)
        )
        known.update(zip(part, _settle(own, other), strict=True))
    return [known[v] for v in range(len(left))]


def _settled(x: Option, local: dict[int, int], known: dict[int, Node]) -> Option:
    """An option in the numbering of its component."""
    return x if not isinstance(x, int) else local[x] if x in local else known[x]


def _settle(left: Options, right: Options) -> list[Node]:
    """The onsides of positions that lead only to each other and to nodes."""
    if all(isinstance(x, Value) for row in (*left, *right) for x in row):
        return [Value.from_options(a, b) for a, b in zip(left, right, strict=True)]
    simplification = Simplification(
        left, right, () if len(left) == 1 and not any(inside([*left, *right])) else (on(), off())
    )
    simplification.simplify()
    if simplification.stoppers:
        simplification.fuse()
        return intern(*simplification.own())
    left, right = simplification.own()
    rows = Rows(inside(left), inside(right))
    if len(components(union(rows))) > 1:
        return onsides(left, right)
    if all(isinstance(x, int) or is_stopper(x) for row in (*left, *right) for x in row):
        if not any(alternating(rows)):
            return onsides(left, right)
        if (onside_nodes := _sidle(left, right)) is not None:
            return onside_nodes
        if _cut(simplification):
            return onsides(*simplification.own())
    return intern(left, right)


def _sidle(left: Options, right: Options) -> list[Node] | None:
    """Apply x' to x, starting with ``on``, until nothing changes."""
    now: list[Node] = [on()] * len(left)
    for _ in range(ROUNDS):
        after = [
            make([now[x] if isinstance(x, int) else x for x in a],
                 [now[x] if isinstance(x, int) else x for x in b])
            for a, b in zip(left, right, strict=True)
        ]  # fmt: skip
        if after == now:
            return now
        now = after
    return None


def make(left: Sequence[Node], right: Sequence[Node]) -> Node:
    """The simplest form of {left | right}, whose options are onsides.

    >>> str(make([make([], [])], []))
    '1'
    """
    return _settle([left], [right])[0]


def _cut(simplification: Simplification) -> bool:
    """Delete moves on alternating cycles that no position needs."""
    whole = Rows(*([list(row) for row in side] for side in simplification.options))
    n, changed = simplification.size, False
    for v in range(n):
        for side in simplification.options:
            for x in [x for x in side[v] if x < n]:
                side[v].remove(x)
                both = survives(simplification.rows, whole, stoppers=False)
                back = survives(whole, simplification.rows, stoppers=False)
                if all(both[u, u] and back[u, u] for u in range(n)):
                    changed = True
                else:
                    side[v].append(x)
    return changed


def mirror(node: Node) -> Node:
    """The negative of a node; it turns an onside into an offside, and conversely."""
    if isinstance(node, Value):
        return -node
    if node not in _MIRRORED:
        place = {x: k for k, x in enumerate(y for y in followers([node]) if isinstance(y, Form))}
        both = (
            [[place[y] if isinstance(y, Form) else -y for y in options] for options in rows]
            for rows in ([x.right for x in place], [x.left for x in place])
        )
        _MIRRORED.update(zip(place, intern(*both), strict=True))
    return _MIRRORED[node]


def offsides(left: Options, right: Options) -> list[Node]:
    """The offside of each position of a graph; an option is a position's number or an offside.

    >>> [str(x) for x in offsides([[1], []], [[], [0]])]
    ['0', '-1']
    """
    both = (
        [[x if isinstance(x, int) else mirror(x) for x in row] for row in rows]
        for rows in (right, left)
    )
    return [mirror(x) for x in onsides(*both)]


def sides(left: Options, right: Options) -> tuple[list[Node], list[Node]]:
    """The onsides and offsides of all positions of a graph; a stopper has one form for both.

    >>> [[str(x) for x in side] for side in sides([[1], []], [[], [0]])]
    [['1', '0'], ['0', '-1']]
    """
    upper = onsides(left, right)
    rows = Rows(inside(left), inside(right))
    circling = [
        stuck or not all(isinstance(x, int) or is_stopper(x) for x in (*a, *b))
        for stuck, a, b in zip(alternating(rows), left, right, strict=True)
    ]
    for part in components(union(rows)):  # options first
        if any(circling[x] for v in part for x in (v, *rows.left[v], *rows.right[v])):
            for v in part:
                circling[v] = True
    rest = [v for v in range(len(left)) if circling[v]]
    place = {v: k for k, v in enumerate(rest)}

    def settled(x: Option) -> Option:
        return x if not isinstance(x, int) else place[x] if circling[x] else upper[x]

    both = ([[settled(x) for x in side[v]] for v in rest] for side in (left, right))
    offside_nodes = offsides(*both)
    lower = list(upper)
    for v, node in zip(rest, offside_nodes, strict=True):
        lower[v] = node
    return upper, lower
