"""The checker of misère quotients: a finite form of the definition, no code of the search.

The claim is a commutative monoid Q (a table), a subset P, and an element Φ(h) for every heap h of a
game; Φ of a position is the product over its heaps. This is checked:

1. *Monoid.* Element 0 is the identity, the table is commutative and associative, and the Φ(h)
   generate it. (Associativity by Light's test: the elements g with (xg)y = x(gy) for all x, y are
   closed under products, so it is enough to test the Φ(h).)
2. *Reduced.* For x ≠ y there is a z such that one of xz, yz is in P and the other is not.
3. *Ends.* A heap without options has Φ(h) = 1, and 1 is not in P.
4. *From P no move leads to P*: for no z, heap h and option h' are zΦ(h) and zΦ(h') both in P.
5. *From outside P some move leads to P*: every position G that has a move and Φ(G) ∉ P has an
   option G' with Φ(G') ∈ P.

**The conditions are sufficient.** By induction over the moves, a position is lost for the player to
move iff its element is in P: without a move it is won, and Φ = 1 ∉ P (3); with a move, by 4 and 5.
So positions with the same element are indistinguishable. Positions with different elements are
distinguishable, by 2 and because Φ is onto. Hence Q with P is the misère quotient, and Φ is the
pretending function.

**Condition 5 is finite.** It depends only on the pair (Φ(G), E) with E = {Φ(G')}, an element of the
transition algebra of [PlambeckSiegel2008]. Pairs are added by

    (x, E) + (y, F) = (xy, xF ∪ yE).

A position G that has a move fails iff x ∉ P and E ∩ P is empty. If E ⊂ F, then (x, E) + H fails
whenever (x, F) + H does, so pairs that are not minimal may be dropped. And suppose that for every z
with xz ∉ P there is an e ∈ E with ze ∈ P. Then no sum with (x, E) can fail, for any value z of the
other summand; so such pairs may be dropped as well.
"""

from typing import TYPE_CHECKING

import numpy as np

from zermelo.errors import CertificateError
from zermelo.labels import AnyArray

if TYPE_CHECKING:
    from zermelo.sums.misere.quotient import MisereQuotient

Pair = tuple[int, int]
"""An element, and a set of elements as the bits of an integer."""


def check_quotient(claim: "MisereQuotient") -> None:
    """Raise a :class:`CertificateError` unless this is the misère quotient of its heaps.

    >>> from zermelo.sums.misere.quotient import misere_quotient
    >>> check_quotient(misere_quotient("0.77", 9))
    """
    table, losing, phi = (np.asarray(x) for x in (claim.product, claim.losing, claim.phi))
    _check_shapes(table, losing, phi, claim.options)
    _check_monoid(table, phi)
    if np.unique(losing[table], axis=0).shape[0] != len(losing):
        raise CertificateError("the monoid is not reduced: two elements are indistinguishable")
    if losing[0]:
        raise CertificateError("the empty position is claimed to be lost under misère play")
    moves = [_moves(table, phi, options) for options in claim.options]
    for heap, images in enumerate(moves):
        x = int(phi[heap])
        if not images and x:
            raise CertificateError(f"heap {heap} has no move, so its element should be 1")
        for y in images:
            if (losing[table[x]] & losing[table[y]]).any():
                raise CertificateError(f"heap {heap}: a move leads from P to P")
    pairs = {(int(x), _mask(images)) for x, images in zip(phi, moves, strict=True) if images}
    failed = _unanswered(table, losing, pairs)
    if failed is not None:
        raise CertificateError(
            f"a position of element {failed} has moves and is claimed to be won, but no move wins"
        )


def _check_shapes(
    table: AnyArray,
    losing: AnyArray,
    phi: AnyArray,
    options: tuple[tuple[tuple[int, ...], ...], ...],
) -> None:
    k = len(losing)
    if table.shape != (k, k) or phi.shape != (len(options),) or losing.dtype != bool or not k:
        raise CertificateError(
            f"expected a square table, a mask and one element per heap, got shapes {table.shape}, "
            f"{losing.shape} ({losing.dtype}) and {phi.shape} for {len(options)} heaps"
        )
    for array in (table, phi):
        if array.size and not 0 <= array.min() <= array.max() < k:
            raise CertificateError(f"expected elements from 0 to {k - 1}")
    for heap, row in enumerate(options):
        if any(not 0 <= part < heap for option in row for part in option):
            raise CertificateError(f"heap {heap} has an option with a heap that is not smaller")


def _check_monoid(table: AnyArray, phi: AnyArray) -> None:
    k = len(table)
    if not np.array_equal(table[0], np.arange(k)):
        raise CertificateError("element 0 is not the identity of the monoid")
    if not np.array_equal(table, table.T):
        raise CertificateError("the table is not commutative")
    reached, waiting = {0}, [0]
    generators = np.unique(phi)
    for g in generators:
        if not np.array_equal(table[table[:, g]], table[:, table[g]]):
            raise CertificateError("the table is not associative")
    while waiting:
        for y in table[waiting.pop(), generators].tolist():
            if y not in reached:
                reached.add(y)
                waiting.append(y)
    if len(reached) != k:
        raise CertificateError(f"the heaps generate {len(reached)} of {k} elements")


def _moves(table: AnyArray, phi: AnyArray, options: tuple[tuple[int, ...], ...]) -> set[int]:
    """The elements of a heap's options."""
    images = set()
    for option in options:
        x = 0
        for part in option:
            x = int(table[x, phi[part]])
        images.add(x)
    return images


def _mask(elements: set[int]) -> int:
    return sum(1 << x for x in elements)


def _unanswered(table: AnyArray, losing: AnyArray, heaps: set[Pair]) -> int | None:
    """The element of a sum of heaps that breaks condition 5, or None."""
    shift = [[1 << int(y) for y in row] for row in table]
    wins = [_mask(set(np.flatnonzero(row).tolist())) for row in losing[table]]  # the z with ze ∈ P
    lost = _mask(set(np.flatnonzero(losing).tolist()))
    everything = (1 << len(losing)) - 1
    memory: dict[tuple[int, int], int] = {}

    def times(x: int, some: int) -> int:
        """The set x · some."""
        if (x, some) not in memory:
            row = shift[x]
            total = 0
            for y in _members(some):
                total |= row[y]
            memory[x, some] = total
        return memory[x, some]

    def safe(x: int, some: int) -> bool:
        covered = wins[x]
        for e in _members(some):
            covered |= wins[e]
        return covered == everything

    letters = [(x, some) for x, some in heaps if not safe(x, some)]
    minimal: dict[int, list[int]] = {}
    waiting = list(letters)
    # Invariant: the pair of every sum that may fail is above a minimal pair, or above the sum of a
    # waiting pair and some heaps.
    while waiting:
        x, some = waiting.pop()
        row = minimal.setdefault(x, [])
        if any(not kept & ~some for kept in row) or safe(x, some):
            continue
        if not losing[x] and not some & lost:
            return x
        row[:] = [kept for kept in row if some & ~kept]
        row.append(some)
        waiting += [(int(table[x, y]), times(x, other) | times(y, some)) for y, other in letters]
    return None


def _members(some: int) -> list[int]:
    """The elements of a set.

    >>> _members(0b10110)
    [1, 2, 4]
    """
    members = []
    while some:
        bit = some & -some
        members.append(bit.bit_length() - 1)
        some ^= bit
    return members
