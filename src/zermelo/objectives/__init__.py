"""Objectives: each is a small frozen record that says what winning means."""

from typing import Any

from zermelo import registry as _registry
from zermelo.objectives.base import Objective, PlainSet
from zermelo.objectives.geography import (
    Geography,
    NoRepetition,
    NoReturn,
    Repetition,
    Return,
)
from zermelo.objectives.infinite import Buchi, CoBuchi, Parity
from zermelo.objectives.muller import Muller
from zermelo.objectives.quantitative import (
    Discounted,
    Energy,
    MeanPayoff,
    Quantitative,
    ShortestPath,
)
from zermelo.objectives.terminal import (
    G0,
    G1,
    H1,
    Asymmetric,
    Misere,
    NormalPlay,
    Reach,
    Safety,
    StuckPayoff,
    TerminalPayoff,
)

OBJECTIVES: dict[str, Any] = {row.name: row.load() for row in _registry.OBJECTIVES.own}
"""The classes of this package by their keywords; ``registry.OBJECTIVES`` is the table."""

__all__ = [
    "G0",
    "G1",
    "H1",
    "OBJECTIVES",
    "Asymmetric",
    "Buchi",
    "CoBuchi",
    "Discounted",
    "Energy",
    "Geography",
    "MeanPayoff",
    "Misere",
    "Muller",
    "NoRepetition",
    "NoReturn",
    "NormalPlay",
    "Objective",
    "Parity",
    "PlainSet",
    "Quantitative",
    "Reach",
    "Repetition",
    "Return",
    "Safety",
    "ShortestPath",
    "StuckPayoff",
    "TerminalPayoff",
]
