"""Loopy values that have names, and how their canonical forms show it.

The values are those of [BerlekampConwayGuy2001] ch. 11 and [Siegel2013] ch. VI. Write u = ^[on] =
{u | ∗}, d = −u + ∗ and p = ^<on> = {0 | d}. All are stoppers, so G ≥ 0 if Left, moving second, is
never without a move (:mod:`zermelo.partizan.loopy.survival`), and a form without dominated and
reversible options is the canonical one (:mod:`zermelo.partizan.loopy.stoppers`).

**Lemma 1.** Let G = {G | ∗m} with m > 0. Then G + ∗i ≥ 0 if and only if i ≠ m, and if so, Left also
wins it moving first. Proof. If i = m, Right moves to ∗m + ∗m = 0. Else Left answers ∗m + ∗i by a
move to 0; she answers G + ∗j by a pass if j ≠ m, and by the move to G if j = m. Right cannot pass,
so she wins. Moving first, she passes.

**Lemma 2.** u + ∗n is {pass | ∗(n ⊕ 1)} for n ≠ 1, and {0, pass | 0} for n = 1. Proof. Let G be
this form and m = n ⊕ 1. In G − u − ∗n a player who moves second answers

- a pass by a pass, in G and −u;
- Right's move from G to ∗m by the move from −u to ∗, and the other way round: what is left is 0;
- Right's move from ∗n to ∗k: Left moves from −u to ∗. If m > 0, then G + ∗(k ⊕ 1) ≥ 0 by lemma 1,
  as k ⊕ 1 ≠ m. If m = 0, then k = 0, and she wins G + ∗: she answers either move by one to 0;
- Left's move from ∗n to ∗k: Right moves from G to ∗m, and −u + ∗(m ⊕ k) ≤ 0 by lemma 1, as m ⊕ k ≠
  1;
- Left's move from G to 0, where n = 1: Right moves from ∗ to 0, and −u ≤ 0.

The form is canonical. If m > 0, it has one option a player. Left's pass is not reversible, since G
≥ ∗m is false, and Right's option ∗m is not, since ∗k ≥ G is false for k < m, both by lemma 1. If m
= 0, then 0 and G are not comparable, as either player wins G by moving to 0; so nothing is
dominated or reversible.

**Lemma 3.** p + ∗n is {0, ∗, …, ∗n | d + ∗n}, and d + ∗n = −u + ∗(n ⊕ 1). Proof. Let H be this
form. First, p > 0, and p ≥ d + ∗j for j > 0 (1): Left's moves in d + ∗j − p to ∗j − p and to ∗j are
answered by the move from ∗j to 0; her move to d + ∗i − p by Right's pass in d if i > 0, else by
that from d to 0, and −p ≤ 0. In H − p − ∗n a player who moves second answers

- Right's move from H to d + ∗n by that from −p to −d, and the other way round;
- Right's move from −p to 0 by that from H to ∗n, and the other way round;
- Left's move from H to ∗i with i < n by that from ∗n to ∗i, and −p ≤ 0;
- Left's move from ∗n to ∗k by that from H to d + ∗n; then d + ∗(n ⊕ k) ≤ p by (1);
- Right's move from ∗n to ∗k by that from −p to −d, which leads to H + u + ∗(k ⊕ 1). There Left
  answers the move to d + ∗n + u + ∗(k ⊕ 1) = ∗(n ⊕ k) by one to 0, and the move from u to ∗ by that
  from H to ∗k. To the move to H + u + ∗j she answers by one from H to 0 or ∗, so that the nimbers
  do not add up to ∗, and lemma 1 applies.

The form is canonical: nimbers are not comparable; H ≥ ∗k is false for k < n, as Right moves to −u +
∗(n ⊕ 1 ⊕ k) < 0 by lemma 1; and Left options of d + ∗n are ∗n alone, by lemma 2, but ∗n ≥ H is
false, as Left moves to ∗n.

**Numbers.** over, u + ∗n and p + ∗n are infinitesimal, that is between −x and x for each number x >
0. For nimbers are; over ≤ x, as Left passes in x − over; u ≤ x, as she moves from −u to ∗ in x − u;
and p ≤ x, as she moves from −p to −d. Let G be one of them or a negative. A player who has options
in G has an infinitesimal one, such as a pass. So Left's move from x + G to xᴸ + G is dominated by
one to x + Gᴸ, and x + G = {x + Gᴸ | x + Gᴿ}. This is canonical if {Gᴸ | Gᴿ} is: options compare as
before, and if Gᴸ = 0, then x is not reversible through xᴿ, which is not less than x + G.

**Tiny.** Tiny(S) = {0 || 0 | −S} with S > 0, and Miny(S) is its negative ([BerlekampConwayGuy2001]
ch. 5, [Siegel2013] ch. II). Numbers are added to it in the same way: (2) {x | x − S} = x + {0 |
−S}, and (3) {x || x | x − S} = x + Tiny(S). Proof. In the difference of both sides a player who
moves second copies moves, except those in the number −x. Let y > 0 be what such a move makes of 0
= x − x, or −y.

- Right moves to −xᴸ: Left moves to x in the form on the left. She wins y − {0 | −S} = y + {S | 0}
  and y − Tiny(S): if Right moves to y, it is positive, and to other moves she answers by a threat
  of S > 0.
- Left moves to −xᴿ: Right moves from −{0 | −S} or from −Tiny(S) to 0. Left's move to x in the form
  on the left then makes −y of it, and other moves in the number make it worse for her.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from zermelo.partizan.analysis import uptimal
from zermelo.partizan.loopy.forms import Form, Node, followers, is_stopper, rows_of
from zermelo.partizan.loopy.sidling import mirror
from zermelo.partizan.loopy.survival import Rows, survives
from zermelo.partizan.loopy.value import nodes_of, value_of_sides
from zermelo.partizan.store import STORE
from zermelo.partizan.value import Value

_POSITIVE: dict[Node, bool] = STORE.memo()


class Name(NamedTuple):
    """A number, a name and a nimber, whose sum is a value."""

    number: Fraction
    symbol: str
    star: int

    def __str__(self) -> str:
        star = "" if not self.star else "*" if self.star == 1 else f"*{self.star}"
        return f"{self.number or ''}{self.symbol}{star}"

    @property
    def has_parts(self) -> bool:
        """Whether it is a sum that is written without a sign between its parts."""
        return bool(self.number or self.star)


class _Stars(NamedTuple):
    """Options x + ∗k of one number x, by their k in order; without options no number is known."""

    number: Fraction | None
    stars: tuple[int, ...]


def _stars(options: Iterable[Node]) -> _Stars | None:
    """Options as x + ∗k, if all are such."""
    numbers, stars = set(), []
    for x in options:
        parts = uptimal.compact(x.id) if isinstance(x, Value) else None
        if parts is None or parts.digits:
            return None
        numbers.add(parts.number)
        stars.append(parts.star)
    if len(numbers) > 1:
        return None
    return _Stars(next(iter(numbers), None), tuple(sorted(stars)))


class _Symbols(NamedTuple):
    """What the values of a player who may pass are called."""

    alone: str
    number: str
    upon: str


_SYMBOLS = (_Symbols("on", "under", "^[on]"), _Symbols("off", "over", "v[on]"))
_POWERS = (("^<on>", "v[on]"), ("v<on>", "^[on]"))
"""What a form without a pass is called, and the other player's only option of it."""


def name_of(form: Form) -> Name | None:
    """The name of on, over, ^[on] or ^<on>, with a number and a nimber, or of a negative.

    Moves from x + ^[on] + ∗n to nimbers are dominated or reversible, and so are some of those from
    x + ^<on> + ∗n. In canonical form

    - x + ^[on] + ∗n is {pass | x + ∗(n ⊕ 1)}, but {x, pass | x} for n = 1;
    - x + ^<on> + ∗n is {x, x + ∗, …, x + ∗n | x + v[on] + ∗(n ⊕ 1)}.

    >>> from zermelo.partizan.loopy.forms import on
    >>> str(name_of(on()))
    'on'
    """
    if form in form.left:
        return _name_with_pass(form, form.left, form.right, _SYMBOLS[0])
    if form in form.right:
        return _name_with_pass(form, form.right, form.left, _SYMBOLS[1])
    both = (form.left, form.right), (form.right, form.left)
    for (symbol, answer), (mine, yours) in zip(_POWERS, both, strict=True):
        near = _stars(mine)
        if near is None or near.number is None or len(yours) != 1:
            continue
        n, x = len(near.stars) - 1, yours[0]
        if near.stars != tuple(range(n + 1)) or x not in (*x.left, *x.right):
            continue
        if isinstance(x, Form) and name_of(x) == Name(near.number, answer, n ^ 1):
            return Name(near.number, symbol, n)
    return None


def _name_with_pass(
    form: Form, mine: Sequence[Node], yours: Sequence[Node], symbols: _Symbols
) -> Name | None:
    """The name of a form in which a player with the options ``mine`` may pass."""
    near, far = _stars(x for x in mine if x is not form), _stars(yours)
    if near is None or far is None:
        return None
    if far.number is None:
        return None if near.stars else Name(Fraction(0), symbols.alone, 0)
    match near.stars, far.stars:
        case (), (0,):
            return Name(far.number, symbols.number, 0)
        case (), (star,):
            return Name(far.number, symbols.upon, star ^ 1)
        case (0,), (0,) if near.number == far.number:
            return Name(far.number, symbols.upon, 1)
    return None


class Tiny(NamedTuple):
    """A number plus Tiny(subscript), or plus Miny(subscript)."""

    number: Fraction
    kind: str
    subscript: Node


def tiny(form: Form) -> Tiny | None:
    """x + Tiny(G) = {x || x | x − G}, x + Miny(G) = {x + G | x || x} with a number x and G > 0.

    >>> from zermelo.partizan.loopy.forms import intern, off
    >>> zero = Value.from_number(0)
    >>> threat, = intern([[zero]], [[off()]])
    >>> tiny(intern([[zero]], [[threat]])[0]).kind
    'Tiny'
    """
    for kind, near, reply in (("Tiny", form.left, form.right), ("Miny", form.right, form.left)):
        base = _stars(near)
        if base is None or base.stars != (0,) or len(reply) != 1:
            continue
        y = reply[0]
        back, on_to = (y.left, y.right) if kind == "Tiny" else (y.right, y.left)
        if tuple(back) != tuple(near) or len(on_to) != 1 or not is_stopper(on_to[0]):
            continue
        subscript = mirror(on_to[0]) if kind == "Tiny" else on_to[0]
        if base.number:
            shift = Value.from_number(base.number if kind == "Tiny" else -base.number)
            subscript = nodes_of(value_of_sides(subscript, subscript) + shift)[0]
        if _is_positive(subscript):
            assert base.number is not None
            return Tiny(base.number, kind, subscript)
    return None


def _is_positive(node: Node) -> bool:
    """Whether a stopper is greater than 0; found for all that it leads to at once."""
    if node not in _POSITIVE:
        place, nothing = followers([node]), Rows([[]], [[]])
        rows = rows_of(place)
        at_least = survives(rows, nothing, stoppers=True)[:, 0]
        at_most = survives(nothing, rows, stoppers=True)[0]
        _POSITIVE.update(zip(place, (at_least & ~at_most).tolist(), strict=True))
    return _POSITIVE[node]
