"""Nim-values of a code, computed by the kernel in steps; the choice of masks.

The best mask is found by a Walsh–Hadamard transform. For all masks m at once it gives the sum over
all heaps a of +1 or −1, by the parity of G(a) & m; the number of rare heaps follows from this sum.
O(2ᵇ b) for values of b bits, at every power of two of the sequence.
"""

from collections.abc import Callable

import numpy as np

from zermelo._kernels.sums import heap as k
from zermelo._runtime import memory
from zermelo._runtime.compiled.jit import interpreting
from zermelo.labels import AnyArray, BoolArray, Int8Array, Int32Array, Int64Array, UInt32Array
from zermelo.sums.heaps.code import Code

Tick = Callable[[int], object]

FIRST = 64
"""The size of the first heap at which a mask is chosen; then at every power of two."""

WORTH = 8
"""A mask is used if less than one in this many heaps is rare."""

STEP = 1 << 26
"""The number of steps in one call of the kernel: about a tenth of a second."""

LARGE = 600
"""From this size on the kernel is compiled: its time grows faster than its arrays."""


class Values:
    """The values G(0), …, G(n) of a code, and the state needed to continue."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.known = np.zeros(0, np.uint32)
        self.mask, self.position = 0, 0
        self._take = np.array([i for i, d in enumerate(code.digits) if d], np.int64)
        self._digit = np.array([d for d in code.digits if d], np.int64)
        self._stamp = np.full(FIRST, -1, np.int32)
        self._always = np.zeros(FIRST, np.int32)
        self._odd = np.zeros(FIRST, np.int8)
        self._rare = np.zeros(0, np.int32)
        self._state = np.zeros(k.STATE_SIZE, np.int64)

    def extend(self, n: int, tick: Tick | None = None) -> None:
        """Compute the values up to G(n)."""
        done = self.known.size
        if n < done:
            return
        memory.require(12 * (n + 1), f"values up to {n:,}", "ask for fewer")
        value, rare = np.zeros(n + 1, np.uint32), np.zeros(n + 1, np.int32)
        value[:done] = self.known
        rare[: self._rare.size] = self._rare
        state, code = self._state, self.code
        rule = (len(code.digits), code.tail, code.unequal)
        run = k.heap_values.compiled if n >= LARGE and not interpreting() else k.heap_values
        state[k.BUDGET] = STEP if n >= LARGE else 1 << 62
        try:
            # Invariant: value[:done] are nim-values, as the kernel left them.
            while done <= n:
                if done >= FIRST and done & (done - 1) == 0:
                    self._choose(value[:done], rare)
                state[k.STOP] = min(n + 1, max(FIRST, 1 << done.bit_length()))
                outcome = run(
                    value, self._take, self._digit, self._stamp, self._always, self._odd, rare,
                    state, rule,
                )  # fmt: skip
                done = int(state[k.NEXT])
                if outcome == k.CROWDED:
                    self._widen()
                if tick is not None:
                    tick(done)
        finally:  # after an interrupt, a later call continues from here
            done = int(state[k.NEXT])
            self.known, self._rare = value[:done], rare[: state[k.RARE]]

    def _widen(self) -> None:
        size = self._stamp.size
        self._stamp = np.concatenate((self._stamp, np.full(size, -1, np.int32)))
        self._always = np.concatenate((self._always, np.zeros(size, np.int32)))
        self._odd = parities(2 * size, self.mask)

    def _choose(self, value: UInt32Array, rare: Int32Array) -> None:
        """Choose the mask with the fewest rare heaps, or none."""
        splits = [i for i, d in enumerate(self.code.digits) if d & 4]
        if not splits:
            return
        state = self._state
        mask, position, is_rare = best_mask(value, splits)
        rare_heaps = np.flatnonzero(is_rare)
        is_sparse = rare_heaps.size * WORTH < value.size
        self.mask, self.position = (mask, position) if is_sparse else (0, 0)
        state[k.SPARSE], state[k.POSITION], state[k.SPLIT] = (
            is_sparse, self.position, splits[0] & 1,
        )  # fmt: skip
        self._odd = parities(self._stamp.size, self.mask)
        if state[k.SPARSE]:
            rare[: rare_heaps.size] = rare_heaps
            state[k.RARE] = rare_heaps.size


def parities(size: int, mask: int) -> Int8Array:
    """The parity of w & mask for all w below ``size``, a power of two.

    >>> parities(8, 0b101).tolist()
    [0, 1, 0, 1, 1, 0, 1, 0]
    """
    odd = np.zeros(1, np.int8)
    while odd.size < size:
        odd = np.concatenate((odd, odd ^ np.int8(bool(mask & odd.size))))
    return odd


def best_mask(value: AnyArray, splits: list[int]) -> tuple[int, int, BoolArray]:
    """The mask and the bit e with the fewest rare heaps, and which heaps are rare.

    See :mod:`zermelo._kernels.sums.heap`. The heap of 0 is never rare: no split leaves it.
    """
    size = 1 << max(1, int(value.max(initial=0)).bit_length())
    heaps = np.arange(1, value.size)
    sums = walsh(np.bincount(value[1:], minlength=size))
    mask, position = int(np.argmin(sums[1:])) + 1, 0
    if len({i & 1 for i in splits}) == 1:
        sign = 1 - 2 * ((heaps - splits[0]) & 1)
        signed = walsh(np.bincount(value[1:], sign, size).astype(np.int64))
        if signed.min() < sums[mask]:
            mask, position = int(np.argmin(signed)), 1
    rare = np.zeros(value.size, bool)
    side = (heaps - splits[0]) & position if splits else 0
    rare[1:] = parities(size, mask)[value[1:]] == side
    return mask, position, rare


def walsh(counts: Int64Array) -> Int64Array:
    """The Walsh–Hadamard transform: for every m the sum of counts[w]·(−1)^parity(w & m).

    >>> walsh(np.array([3, 1, 0, 2])).tolist()
    [6, 0, 2, 4]
    """
    sums, half = counts.astype(np.int64), 1
    while half < sums.size:
        pairs = sums.reshape(-1, 2, half)
        sums = np.stack((pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]), 1).reshape(-1)
        half *= 2
    return sums
