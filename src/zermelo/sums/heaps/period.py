"""Periods of nim-values, found in linear time and proved by a theorem.

**Periodicity.** Let a code end with digit d_k and let its moves leave at most t ≥ 1 heaps. If
G(n + p) = G(n) for all n with q ≤ n < t·q + (t − 1)·p + k, where q ≥ 1, then for all n ≥ q.

*Proof.* Let N be at least the bound and the equation hold for q ≤ n < N. The largest heap a of an
option of N + p is at least (N + p − k)/t ≥ q + p; with a − p instead it is an option of N of the
same value, since a − p ≥ q ≥ 1 is no empty heap and smaller than N. The largest heap a of an option
of N is at least q, so a + p gives an option of N + p of the same value. Neither N nor N + p can be
taken whole, as both exceed k. So the options of both have the same values. For t = 2 this is the
theorem of [GuySmith1956], [BerlekampConwayGuy2001] ch. 4; for t = 1 it is about subtraction games.
Where two heaps must differ, a − p may equal the other heap of the option. Then the option
(a, a − p) of N + p has the value 0, and so has the option (a, a − 2p) of N, if the bound is p
higher.

**Arithmetic periodicity.** Let a code have digits below 4, and let all digits behind d_k be equal,
2 or 3 (all numbers of tokens except some may be taken). Write L(x) for the set of the values of
heaps below x, without the empty heap if the last digit is 2. If G(n + p) = G(n) + s for
q ≤ n < q + k, where q ≥ 1, and L(q + p) = {0, …, s − 1} ∪ (s + L(q)), then G(n + p) = G(n) + s for
all n ≥ q.

*Proof.* Let N ≥ q + k and the equation hold for q ≤ n < N. From N + p every heap below q + p may be
left, as more than k tokens are taken; and a heap m + p with m ≥ q may be left from N + p exactly if
m may be left from N. The former have the values L(q + p); the value of m + p is s more than that of
m. So the values of the options of N + p are {0, …, s − 1} and s more than those of the options of
N: the mex grows by s.

A period that neither theorem proves from the known values is not reported. This is so for finite
hexadecimal codes whose values grow: [HowseNowakowski2004] have a theorem for some of them, which is
not used here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from zermelo._inputs.values import Checked, claim_array, sealed, shown, whole_number
from zermelo._kernels.sums.heap import repeats
from zermelo.errors import CertificateError
from zermelo.labels import AnyArray, Int32Array, Int64Array
from zermelo.sums.heaps.code import Code
from zermelo.verify.sums.heap import check_period


@dataclass(frozen=True, eq=False)
class Period(Checked):
    """A proof that G(n + period) = G(n) + saltus for all n ≥ preperiod."""

    code: Code
    preperiod: int
    """The least number from which on the values repeat."""
    period: int
    saltus: int
    """The amount by which values grow in a period: 0 where they repeat."""
    start: int
    """The number q of the theorem, at least the pre-period."""
    values: Int32Array
    """G(0), G(1), … as far as the theorem needs them."""

    def __post_init__(self) -> None:
        if not isinstance(self.code, Code):
            raise CertificateError(f"code: expected a Code, got {shown(self.code)}")
        for name, low in (("preperiod", 0), ("period", 1), ("saltus", 0), ("start", 1)):
            number = whole_number(getattr(self, name), name, low, 2**62, CertificateError)
            object.__setattr__(self, name, number)
        size = self.values.size if isinstance(self.values, np.ndarray) else 0
        claim_array(self, "values", (size,), np.int32, 0, 2**31 - 1)
        if size < self.preperiod + self.period:
            raise CertificateError(
                f"expected values up to {self.preperiod + self.period - 1}, got {size}"
            )

    def value(self, n: int) -> int:
        """The nim-value of a heap of n, however large.

        >>> from zermelo.sums.heaps.heap import heap
        >>> heap("kayles").period().value(10**100)
        1
        """
        n = whole_number(n, "n")
        if n < self.preperiod:
            return int(self.values[n])
        rounds, place = divmod(n - self.preperiod, self.period)
        return int(self.values[self.preperiod + place]) + self.saltus * rounds

    @property
    def row(self) -> Int32Array:
        """The values of one period, of heaps n ≡ 0, 1, … modulo the period.

        Where values grow, those of heaps from the first multiple of the period on.
        """
        first = -(-self.preperiod // self.period) * self.period
        return np.array([self.value(first + i) for i in range(self.period)], np.int32)

    @property
    def exceptions(self) -> Mapping[int, int]:
        """The heaps below the pre-period that do not fit the period, and their values.

        >>> from zermelo.sums.heaps.heap import heap
        >>> list(heap("0.77").period().exceptions)
        [0, 3, 6, 9, 11, 15, 18, 21, 22, 28, 34, 39, 57, 70]
        """
        n0, p = self.preperiod, self.period
        rounds, place = np.divmod(np.arange(n0) - n0, p)
        expected = self.values[n0 + place] + self.saltus * rounds
        heaps = np.flatnonzero(expected != self.values[:n0]).tolist()
        return MappingProxyType({n: int(self.values[n]) for n in heaps})

    @property
    def last_exception(self) -> int | None:
        """The greatest heap that does not fit the period."""
        return self.preperiod - 1 if self.preperiod else None

    def verify(self) -> "Period":
        """Check values and theorem by other means; raises CertificateError, or returns itself."""
        check_period(self)
        return self

    def __str__(self) -> str:
        """The period as a text."""
        grows = f", growing by {self.saltus}" if self.saltus else ""
        return f"{self.code}: period {self.period}{grows}, pre-period {self.preperiod}"


def find_period(code: Code, values: Int32Array) -> Period | None:
    """The least period that the theorems prove from the values G(0), G(1), …; else None."""
    return _periodic(code, values) if code.tail == 0 else _arithmetic(code, values)


def _agreements(sequence: AnyArray) -> Int64Array:
    """For every p > 0 the least n0 with sequence[n] = sequence[n + p] for all n ≥ n0.

    Entry 0 has no meaning.
    """
    length = np.zeros(sequence.size, np.int32)
    repeats(np.ascontiguousarray(sequence[::-1], np.int32), length)
    preperiods: Int64Array = sequence.size - np.arange(sequence.size) - length
    return preperiods


def _periodic(code: Code, values: Int32Array) -> Period | None:
    """The least period that the first theorem proves, or None."""
    n, k, t = values.size, len(code.digits) - 1, max(1, code.most)
    shift = np.arange(n)
    preperiod = _agreements(values)
    start = np.maximum(preperiod, 1)
    need = t * (start + shift) + k + shift * code.unequal
    proved = np.flatnonzero(need[1:] <= n) + 1
    if not proved.size:
        return None
    p = int(proved[0])
    needed_values = sealed(values[: need[p]].copy())
    return Period(code, int(preperiod[p]), p, 0, int(start[p]), needed_values)


def _arithmetic(code: Code, values: Int32Array) -> Period | None:
    """The least period that the second theorem proves, or None."""
    n, k = values.size, len(code.digits) - 1
    if code.tail not in (2, 3) or max(code.digits) > 3 or n < 3:
        return None
    preperiod = _agreements(np.diff(values))
    for p in range(1, n // 2):
        n0 = int(preperiod[p])
        if n0 + 2 * p > n:
            continue
        s = int(values[n0 + p] - values[n0])
        for q in range(max(1, n0), n - p - k + 1, p):
            below = _low(code, values, q)
            if _low(code, values, q + p) == {*range(s), *(s + x for x in below)}:
                needed_values = sealed(values[: q + p + max(k, p)].copy())
                return Period(code, n0, p, s, q, needed_values)
    return None


def _low(code: Code, values: Int32Array, x: int) -> set[int]:
    """The set L(x) of the second theorem."""
    return set(values[1 - (code.tail & 1) : x].tolist())
