"""Atomic weights: the approximate number of ↑ in an infinitesimal.

Write ☆ for a *remote star* of G: a nimber ∗n such that G compares with all larger nimbers as with
∗n. It is enough that no position H of G equals ∗n or a larger nimber. Then, by induction on H and
m, H + ∗m has the outcome of H + ∗n for all m > n: a move that wins H + ∗n also wins H + ∗m. Suppose
that Left wins H + ∗m only by a move to H + ∗k with n ≤ k < m. Then H + ∗k ≥ 0 has the outcome of H
+ ∗n, which Left does not win by moving first, so that H = ∗n, a contradiction.

Let Z be the set of values G with ↓ + ☆ ≤ G ≤ ↑ + ☆. G has the *atomic weight* g if G − g·↑ is in Z;
g·↑ is a Norton product.

**Lemma 1.** If G ≥ ☆ and H + ↑ ≥ ☆, then G + H ≥ ☆. This means that Left, moving second, wins G + H
+ ∗n for all large n. Proof by induction on G and H. First, Left, moving first, wins H + ☆ (1),
because she has an answer to Right's move from ↑ to ∗ in H + ↑ + ☆.

- Right moves to Gᴿ. Left has an answer in Gᴿ + ☆. If it leads to Gᴿᴸ ≥ ☆ or to Gᴿ ≥ ∗k with a large
  k, she gives the same answer and wins by induction. Otherwise Gᴿ ≥ ∗k with a small k, and she wins
  ∗k + H + ☆ by (1).
- Right moves to Hᴿ. Left has an answer in Hᴿ + ↑ + ☆. If it leads to Hᴿᴸ or to a large nimber, she
  gives the same answer and wins by induction. If it leads from ↑ to 0, then Hᴿ ≥ ☆; she moves to
  another large nimber and wins by induction, because G ≥ ☆ implies G + ↑ ≥ ☆. Otherwise
  Hᴿ + ↑ ≥ ∗k with a small k; then she has to win G + ↓ + ☆ moving first: she moves from ↓ to ∗, and
  G + ∗ ≥ ☆.
- Right moves to ∗k. G ≥ ∗j for all large j, and Left, moving first, wins H + ∗j + ∗k by (1).

With G + ↑ in place of G, the lemma says that Z is closed under sums. So Z is a group, and adding a
member of Z never changes the comparison of a value with ☆. Among the g·↑ only 0 is in Z, so a value
has at most one weight ([Siegel2013] §II.7). A value with a weight is infinitesimal.

**All-small values** have a weight ([Siegel2013] §II.7, [BerlekampConwayGuy2001] ch. 8). Let G₀ =
{aw(Gᴸ) − 2 | aw(Gᴿ) + 2}. If G₀ is not an integer, it is the weight. Otherwise G is compared with
☆. If G is greater, the weight is the largest integer n with n ⧏ aw(Gᴿ) + 2 for all Right options;
if G is less, it is the least n with n ⧐ aw(Gᴸ) − 2 for all Left options; otherwise it is G₀.

**Other infinitesimals** lead to positions x + ε with a number x ≠ 0 and an infinitesimal ε. Let G_M
be G with such positions replaced by M·↑ if x > 0, and by M·↓ if x < 0; this is an all-small game.

**Lemma 2.** G has the weight g if and only if aw(G_M) = g for all large M. Proof: let X be
all-small. The player whom x favours wins x + ε + X' + ∗k for all positions X' of X, no matter who
moves first, and the same holds with ±M·↑ in place of x + ε if M is large. So G + X + ☆ and
G_M + X + ☆ have the same outcome. For X = −g·↑ ± ↑ this says that G − g·↑ is in Z if and only if
G_M − g·↑ is.

The recursion computes aw(G_M) from numbers near 0 and near ±M; each move adds at most 2 to these
distances. If M is more than twice the distance, no comparison depends on M. So if aw(G_M) = g for
all large M, then also for this M. Hence aw(G_M) is the only candidate: either G − aw(G_M)·↑ is in
Z, or G has no weight.
"""

import math
from functools import partial

from zermelo.errors import UndefinedError
from zermelo.partizan.analysis.heat import norton
from zermelo.partizan.analysis.stops import is_all_small, is_infinitesimal
from zermelo.partizan.dyadic import as_integer, left_stop
from zermelo.partizan.store import STORE
from zermelo.partizan.text.spelling import spell
from zermelo.partizan.walk import fold

_REMOTE: dict[int, int] = STORE.memo()
_REACH: dict[int, int] = STORE.memo()
_WEIGHTS: dict[int, dict[int, int]] = STORE.memo()


def atomic_weight(v: int) -> int:
    """The atomic weight, a value.

    >>> from zermelo.partizan.text.spelling import spell
    >>> spell(atomic_weight(STORE.number_up_star(0, 0, 3, 2)))
    '3'
    >>> atomic_weight(STORE.number(1, 0))
    Traceback (most recent call last):
    zermelo.errors.UndefinedError: 1 has no atomic weight: expected an infinitesimal value
    """
    if not is_infinitesimal(v):
        raise UndefinedError(f"{spell(v)} has no atomic weight: expected an infinitesimal value")
    far = 1 << (2 * fold(v, _REACH, _reach_leaf, _reach_join) + 4).bit_length()
    weight = fold(v, _WEIGHTS.setdefault(far, {}), partial(_leaf, far), _join)
    if not is_all_small(v) and not _is_near(v, weight):
        raise UndefinedError(f"{spell(v)} has no atomic weight: no multiple of ^ is close enough")
    return weight


def _is_near(v: int, weight: int) -> bool:
    """Whether ↓ + ☆ ≤ G − weight·↑ ≤ ↑ + ☆: the definition of an atomic weight."""
    rest = STORE.add(v, STORE.negate(norton(weight, STORE.number_up_star(0, 0, 1, 0))))
    star = remote_star(rest)
    low, high = (STORE.number_up_star(0, 0, up, star) for up in (-1, 1))
    return STORE.le(low, rest) and STORE.le(rest, high)


# -------------------------------------------------------------------- remote stars


def remote_star(v: int) -> int:
    """A power of two such that no position of the value is a nimber of this size or larger.

    >>> remote_star(STORE.number_up_star(0, 0, 3, 2))
    4
    """
    return fold(v, _REMOTE, _remote_leaf, lambda _, left, right: max(2, *left, *right))


def _remote_leaf(v: int) -> int | None:
    parts = STORE.parts(v)
    return None if parts is None else max(2, 1 << (parts[3] | 1).bit_length())


# -------------------------------------------------------------------- the recursion


def _reach_leaf(v: int) -> int | None:
    parts = STORE.parts(v)
    return None if parts is None else abs(parts[2])


def _reach_join(_: int, left: list[int], right: list[int]) -> int:
    """A bound on the distance of the numbers in aw(G_M) from 0 and ±M."""
    return 2 + max(*left, *right)


def _leaf(far: int, v: int) -> int | None:
    """The weight of a position of G_M that is a number with ups and a nimber, M = ``far``."""
    parts = STORE.parts(v)
    if parts is None:
        return None
    numerator, _, up, _ = parts
    return STORE.number(up if not numerator else far if numerator > 0 else -far, 0)


def _join(v: int, left: list[int], right: list[int]) -> int:
    """The weight of a position of G_M from those of its options.

    By lemma 2 with X = 0, the position of G compares with ☆ as the position of G_M does.
    """
    two, minus = STORE.number(2, 0), STORE.number(-2, 0)
    mine, yours = [STORE.add(x, minus) for x in left], [STORE.add(x, two) for x in right]
    plain = STORE.make(mine, yours)
    if as_integer(plain) is None:
        return plain
    star = STORE.number_up_star(0, 0, 0, remote_star(v))
    below, above = STORE.le(v, star), STORE.le(star, v)
    if above and not below:
        return STORE.number(min(_greatest_below(x) for x in yours), 0)
    if below and not above:
        return STORE.number(-min(_greatest_below(STORE.negate(x)) for x in mine), 0)
    return plain


def _greatest_below(v: int) -> int:
    """The greatest integer n with n ⧏ v, which means that v ≤ n is false."""
    n = math.floor(left_stop(v))
    return n - 1 if STORE.le(v, STORE.number(n, 0)) else n
