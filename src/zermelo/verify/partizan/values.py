"""The checker of canonical forms: plain search on options, no code of the store.

A game is a list of positions, each with its Left and its Right options. Options come before the
positions that have them, and the last position is the game. A form H is *the* canonical form of G
iff

- G = H: both Left and Right win G − H moving second. This is G ≥ H and G ≤ H, where G ≤ H iff no
  Left option of G is ≥ H and no Right option of H is ≤ G;
- no position K of H has a dominated option (Kᴸ ≤ K'ᴸ or Kᴿ ≥ K'ᴿ for another of the same side) or a
  reversible one (some Kᴸᴿ ≤ K, or Kᴿᴸ ≥ K).

The second condition makes it unique ([Siegel2013] §II.2). All comparisons are one search over pairs
of positions with an explicit stack and a memo: O(n²) pairs for n positions, times the options.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

from zermelo.errors import CertificateError, LimitError, UndefinedError

MAX_WRITTEN_OUT = 1_000_000
"""The largest number of positions and options of a game that is written out."""


@dataclass(frozen=True)
class Options:
    """A game written out: position k has options among 0, …, k − 1; the last one is the game."""

    left: tuple[tuple[int, ...], ...]
    right: tuple[tuple[int, ...], ...]


def check_value(game: Options, claim: Options) -> None:
    """Raise :class:`~zermelo.errors.CertificateError` unless ``claim`` is the canonical form.

    >>> star, zero = Options(((), (0,)), ((), (0,))), Options(((),), ((),))
    >>> check_value(star, star)
    >>> check_value(star, zero)
    Traceback (most recent call last):
    zermelo.errors.CertificateError: expected a form equal to the game, got one that is confused...
    """
    for name, given in (("game", game), ("claim", claim)):
        _check_order(name, given)
    shift = len(game.left)
    order = _Order(
        [*game.left, *_moved(claim.left, shift)], [*game.right, *_moved(claim.right, shift)]
    )
    below, above = order.le(shift - 1, -1 % len(order)), order.le(-1 % len(order), shift - 1)
    if not (below and above):
        relation = "greater" if below else "less" if above else "confused with it"
        raise CertificateError(f"expected a form equal to the game, got one that is {relation}")
    for k in range(shift, len(order)):
        order.check_canonical(k, k - shift)


def _check_order(name: str, game: Options) -> None:
    if not game.left or len(game.left) != len(game.right):
        raise CertificateError(f"{name}: expected rows for Left and Right, equally many")
    for k, row in enumerate(zip(game.left, game.right, strict=True)):
        if any(not 0 <= x < k for side in row for x in side):
            raise CertificateError(f"{name}: expected options of position {k} with smaller numbers")


def _moved(rows: Sequence[Sequence[int]], by: int) -> list[tuple[int, ...]]:
    return [tuple(x + by for x in row) for row in rows]


class _Order:
    """The relation ≤ between positions, by search."""

    def __init__(self, left: list[tuple[int, ...]], right: list[tuple[int, ...]]) -> None:
        self.left, self.right = left, right
        self.known: dict[tuple[int, int], bool] = {}

    def __len__(self) -> int:
        return len(self.left)

    def le(self, g: int, h: int) -> bool:
        """Whether Right, moving second, wins g − h."""
        known, stack = self.known, [(g, h)]
        # Invariant: the pair below asked for each pair on the stack; the sum of the two positions
        # decreases from each pair to the next, so the search ends.
        while stack:
            a, b = stack[-1]
            asked = [(b, x) for x in self.left[a]] + [(y, a) for y in self.right[b]]
            if any(known.get(pair, False) for pair in asked):
                known[a, b] = False
            else:
                missing = next((pair for pair in asked if pair not in known), None)
                if missing is not None:
                    stack.append(missing)
                    continue
                known[a, b] = True
            stack.pop()
        return known[g, h]

    def check_canonical(self, k: int, name: int) -> None:
        """Raise an error if an option of a position is dominated or reversible."""
        for side, player in ((self.left, "Left"), (self.right, "Right")):
            mine = side is self.left
            for x, y in permutations(side[k], 2):
                if self.le(x, y) if mine else self.le(y, x):
                    raise CertificateError(f"position {name}: a {player} option is dominated")
            back = self.right if mine else self.left
            for x in side[k]:
                if any(self.le(y, k) if mine else self.le(k, y) for y in back[x]):
                    raise CertificateError(f"position {name}: a {player} option is reversible")


class Plain:
    """Games by their definitions, with all options: an algebra for the parser of notation.

    >>> plain = Plain()
    >>> star = plain.number_up_star(0, 0, 0, 1)
    >>> plain.options(plain.add(star, star))
    Options(left=((), (0,), (1, 1)), right=((), (0,), (1, 1)))
    """

    def __init__(self) -> None:
        self.left: list[tuple[int, ...]] = []
        self.right: list[tuple[int, ...]] = []
        self._size = 0
        self._sums: dict[tuple[int, int], int] = {}
        self._negatives: dict[int, int] = {}
        self._compact: dict[tuple[int, int, int], int] = {}

    def make(self, left: Sequence[int], right: Sequence[int]) -> int:
        """A new game {left | right}."""
        self._size += 1 + len(left) + len(right)
        if self._size > MAX_WRITTEN_OUT:
            raise too_long()
        self.left.append(tuple(left))
        self.right.append(tuple(right))
        return len(self.left) - 1

    def number_up_star(self, numerator: int, exponent: int, up: int, star: int) -> int:
        """The sum of a number, some ups and a nimber."""
        total = self._number(numerator, exponent)
        if up:
            one = self.power(1) if up > 0 else self.negate(self.power(1))
            for _ in range(abs(up)):
                total = self.add(total, one)
        return self.add(total, self._nimber(star)) if star else total

    def _number(self, numerator: int, exponent: int) -> int:
        while exponent and numerator % 2 == 0:
            numerator, exponent = numerator // 2, exponent - 1
        # Each new number is made from its two neighbours; one of them has a smaller denominator.
        stack = [(numerator, exponent)]
        while stack:
            m, k = stack[-1]
            if (m, k, 0) in self._compact:
                stack.pop()
                continue
            near = [_lowest(m - 1, k), _lowest(m + 1, k)]
            if k == 0:
                near = [] if m == 0 else [(m - 1, 0) if m > 0 else (m + 1, 0)]
            missing = [x for x in near if (*x, 0) not in self._compact]
            if missing:
                stack += missing
                if len(stack) > MAX_WRITTEN_OUT:
                    raise too_long()
                continue
            ids = [self._compact[(*x, 0)] for x in near]
            sides = (ids[:1], ids[1:]) if k else (ids, []) if m > 0 else ([], ids)
            self._compact[m, k, 0] = self.make(*sides)
            stack.pop()
        return self._compact[numerator, exponent, 0]

    def _nimber(self, n: int) -> int:
        for k in range(n + 1):
            if (0, 0, k) not in self._compact:
                smaller = [self._compact[0, 0, j] for j in range(k)]
                self._compact[0, 0, k] = self.make(smaller, smaller)
        return self._compact[0, 0, n]

    def power(self, n: int) -> int:
        """↑ⁿ."""
        zero, star = self._number(0, 0), self._nimber(1)
        if n == 1:
            return self.make([zero], [star])
        return self.make([zero], [self.add(star, self.negate(self.power_sum(n - 1)))])

    def power_sum(self, n: int) -> int:
        """The sum ↑ + ↑² + … + ↑ⁿ."""
        total = self.power(1)
        for k in range(2, n + 1):
            total = self.add(total, self.power(k))
        return total

    def negate(self, a: int) -> int:
        """The negative: Left and Right are exchanged."""
        for k in self._below(a):
            if k not in self._negatives:
                left = [self._negatives[x] for x in self.right[k]]
                right = [self._negatives[x] for x in self.left[k]]
                self._negatives[k] = self.make(left, right)
        return self._negatives[a]

    def _below(self, a: int) -> list[int]:
        """The positions of a game, options first."""
        seen, stack = {a}, [a]
        while stack:
            k = stack.pop()
            new = {*self.left[k], *self.right[k]} - seen
            seen |= new
            stack += new
        return sorted(seen)

    def add(self, a: int, b: int) -> int:
        """The sum: a move in it is a move in one of the two games."""
        others = self._below(b)
        for x in self._below(a):
            for y in others:
                if not (self.left[x] or self.right[x]):
                    self._sums[x, y] = y
                elif not (self.left[y] or self.right[y]):
                    self._sums[x, y] = x
                elif (x, y) not in self._sums:
                    left, right = (
                        [self._sums[z, y] for z in side[x]] + [self._sums[x, z] for z in side[y]]
                        for side in (self.left, self.right)
                    )
                    self._sums[x, y] = self.make(left, right)
        return self._sums[a, b]

    def product(self, a: int, b: int) -> int:
        """The sum of n copies, for an integer n."""
        for (m, k, star), at in list(self._compact.items()):
            if at in (a, b) and not k and not star:
                other = b if at == a else a
                total = self._number(0, 0)
                for _ in range(abs(m)):
                    total = self.add(total, other if m > 0 else self.negate(other))
                return total
        raise UndefinedError("expected an integer factor, because other products are not checked")

    def options(self, a: int) -> Options:
        """A game as :class:`Options`."""
        below = self._below(a)
        place = {k: at for at, k in enumerate(below)}
        rows = (
            tuple(tuple(place[x] for x in side[k]) for k in below)
            for side in (self.left, self.right)
        )
        return Options(*rows)


def too_long() -> LimitError:
    """The error for a game that is too large to write out."""
    return LimitError(
        f"written out, the game has more than {MAX_WRITTEN_OUT:,} positions and options"
    )


def _lowest(m: int, k: int) -> tuple[int, int]:
    while k and m % 2 == 0:
        m, k = m // 2, k - 1
    return m, k
