"""Generators and relations of a finite commutative monoid, in the least monomials.

A monoid is a table ``product[x, y]`` in which 0 is the identity element. Monomials are tuples of
exponents, one for each generator; they are compared lexicographically, the last generator first.
The relations are the reduced Gröbner basis: each rewrites a monomial, all of whose proper divisors
are least, to the least monomial of its element.
"""

from collections.abc import Iterable, Sequence

from zermelo.labels import AnyArray

Exponents = tuple[int, ...]

ALPHABET = "abcdefghijklmnopqrstuvwxyz"


def generated(product: AnyArray, elements: Iterable[int]) -> set[int]:
    """The submonoid that some elements generate.

    >>> import numpy as np
    >>> sorted(generated(np.array([[0, 1, 2], [1, 0, 2], [2, 2, 2]]), [1]))
    [0, 1]
    """
    generators = list(elements)
    submonoid, waiting = {0}, [0]
    while waiting:
        x = waiting.pop()
        for g in generators:
            y = int(product[x, g])
            if y not in submonoid:
                submonoid.add(y)
                waiting.append(y)
    return submonoid


def irredundant(product: AnyArray, elements: Iterable[int]) -> list[int]:
    """Some of the elements, in order, that generate them all; later ones are dropped first."""
    kept = list(dict.fromkeys(x for x in elements if x))
    for x in reversed(list(kept)):
        others = [y for y in kept if y != x]
        if x in generated(product, others):
            kept = others
    return kept


def least_monomials(product: AnyArray, generators: Sequence[int]) -> dict[int, Exponents]:
    """The least monomial of each element, in increasing order of monomials."""
    monomials: dict[int, Exponents] = {0: (0,) * len(generators)}
    for i, g in enumerate(generators):
        layer = dict(monomials)
        # Invariant: monomials holds the least monomials with exponent at most e of generator i and
        # 0 of later ones; layer holds those among them with exponent e.
        while layer:
            longer: dict[int, Exponents] = {}
            for x, monomial in layer.items():
                y = int(product[x, g])
                if y not in monomials:
                    monomials[y] = longer[y] = _shift(monomial, i, 1)
            layer = longer
    return monomials


def relations(
    product: AnyArray, generators: Sequence[int], monomials: dict[int, Exponents]
) -> list[tuple[Exponents, Exponents]]:
    """The pairs (monomial, least monomial of its element) that rewrite all to least ones."""
    least = set(monomials.values())
    rewritten = {}
    for x, monomial in monomials.items():
        for i, g in enumerate(generators):
            longer = _shift(monomial, i, 1)
            if longer not in least and all(
                _shift(longer, j, -1) in least for j, e in enumerate(longer) if e
            ):
                rewritten[longer] = monomials[int(product[x, g])]
    return sorted(rewritten.items(), key=lambda pair: pair[0][::-1])


def _shift(monomial: Exponents, i: int, by: int) -> Exponents:
    return (*monomial[:i], monomial[i] + by, *monomial[i + 1 :])


def spell(monomial: Exponents, letters: Sequence[str]) -> str:
    """A monomial in letters, each followed by its exponent.

    >>> spell((1, 2, 0), "abc"), spell((0, 0, 0), "abc")
    ('ab2', '1')
    """
    parts = [c if e == 1 else f"{c}{e}" for c, e in zip(letters, monomial, strict=True) if e]
    return "".join(parts) or "1"


def letters(count: int) -> list[str]:
    """Names for generators: the alphabet, and numbered z if there are more.

    >>> letters(28)[-3:]
    ['z', 'z_1_', 'z_2_']
    """
    return [*ALPHABET[:count], *(f"z_{k}_" for k in range(1, count - len(ALPHABET) + 1))]
