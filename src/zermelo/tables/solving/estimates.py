"""Numbers that are known exactly, or estimated with an interval, and how they are written."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from zermelo.labels import AnyArray

CONFIDENCE = 1.96
"""Standard deviations of an interval that holds in 95 of 100 samples."""


@dataclass(frozen=True)
class Estimate:
    """A count between ``low`` and ``high``; ``high`` is None if nothing is known about it.

    >>> print(Estimate.exact(1200), Estimate(10**12, 9 * 10**11, 11 * 10**11), sep="; ")
    1,200; about 1e+12 (9e+11 to 1.1e+12)
    """

    value: int
    low: int
    high: int | None

    @classmethod
    def exact(cls, count: int) -> "Estimate":
        """A count that is known."""
        return cls(int(count), int(count), int(count))

    @property
    def is_exact(self) -> bool:
        """Whether the count is known."""
        return self.low == self.value == self.high

    def times(self, factor: float) -> "Estimate":
        """The count of something that occurs ``factor`` times for each."""
        high = None if self.high is None else math.ceil(self.high * factor)
        return Estimate(round(self.value * factor), math.floor(self.low * factor), high)

    def __str__(self) -> str:
        if self.is_exact:
            return show_count(self.value)
        if self.high is None:
            return f"about {show_count(self.value)}, at least {show_count(self.low)}"
        return f"about {show_count(self.value)} ({show_count(self.low)} to {show_count(self.high)})"

    def record(self) -> dict[str, int | bool | None]:
        """The estimate as plain data."""
        return {"value": self.value, "low": self.low, "high": self.high, "exact": self.is_exact}


def show_count(count: int) -> str:
    """A number as text: exact below ten million, else with three digits.

    >>> show_count(9_999_999), show_count(4_531_985_219_092)
    ('9,999,999', '4.53e+12')
    """
    return f"{count:,}" if abs(count) < 10**7 else f"{float(count):.3g}"


def share(hits: int, samples: int, total: int) -> Estimate:
    """How many of ``total`` things have a property that ``hits`` of some random ``samples`` have.

    This is the score interval of [Wilson1927].

    >>> print(share(50, 100, 1000))
    about 500 (403 to 597)
    """
    if samples == 0:
        return Estimate(0, 0, total)
    z, p = CONFIDENCE, hits / samples
    middle = (p + z * z / (2 * samples)) / (1 + z * z / samples)
    spread = z / (1 + z * z / samples)
    spread *= math.sqrt(p * (1 - p) / samples + z * z / (4 * samples * samples))
    low = max(hits, math.floor(max(0.0, middle - spread) * total))
    high = min(total, math.ceil((middle + spread) * total))
    value = round(p * total)
    return Estimate(value, min(low, value), max(high, value))


def total_of(values: AnyArray, count: Estimate | int) -> Estimate:
    """The sum of a quantity over ``count`` things, of which ``values`` is a random sample.

    >>> import numpy as np
    >>> total_of(np.array([2, 2, 2]), 50) == Estimate.exact(100)
    True
    """
    whole = count if isinstance(count, Estimate) else Estimate.exact(count)
    if not len(values):
        return whole.times(0)
    mean = float(values.mean())
    if not mean:
        return Estimate(0, 0, None) if whole.value else Estimate.exact(0)
    error = (
        CONFIDENCE * float(values.std(ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else 0
    )
    high = None if whole.high is None else math.ceil(whole.high * (mean + error))
    low = math.floor(whole.low * max(0.0, mean - error))
    return Estimate(round(whole.value * mean), low, high)


def from_repeats(results: Sequence[float], least: int) -> Estimate:
    """The mean of independent estimates of one number that is at least ``least``.

    >>> print(from_repeats([90, 110, 100, 100], 50))
    about 100 (87 to 113)
    """
    k = len(results)
    mean = math.fsum(results) / k
    spread = math.sqrt(math.fsum((x - mean) ** 2 for x in results) / max(1, k - 1) / k)
    error = STUDENT.get(k, CONFIDENCE) * spread
    low, high = max(least, math.floor(mean - error)), math.ceil(mean + error)
    value = max(least, round(mean))
    return Estimate(value, min(low, value), max(high, value))


STUDENT = {2: 12.706, 3: 4.303, 4: 3.182, 5: 2.776, 6: 2.571, 7: 2.447, 8: 2.365}
"""The factor of the t-distribution, for the mean of so many repeats."""
