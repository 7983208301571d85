"""Objectives: each is a small frozen record that says what winning means."""

from typing import TYPE_CHECKING

from zermelo._runtime.lazy import import_on_use

if TYPE_CHECKING:
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
    from zermelo.objectives.reach_avoid import ReachAvoid
    from zermelo.objectives.table import OBJECTIVES
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

_HOME = {
    "Asymmetric": "zermelo.objectives.terminal",
    "Buchi": "zermelo.objectives.infinite",
    "CoBuchi": "zermelo.objectives.infinite",
    "Discounted": "zermelo.objectives.quantitative",
    "Energy": "zermelo.objectives.quantitative",
    "G0": "zermelo.objectives.terminal",
    "G1": "zermelo.objectives.terminal",
    "Geography": "zermelo.objectives.geography",
    "H1": "zermelo.objectives.terminal",
    "MeanPayoff": "zermelo.objectives.quantitative",
    "Misere": "zermelo.objectives.terminal",
    "Muller": "zermelo.objectives.muller",
    "NoRepetition": "zermelo.objectives.geography",
    "NoReturn": "zermelo.objectives.geography",
    "NormalPlay": "zermelo.objectives.terminal",
    "OBJECTIVES": "zermelo.objectives.table",
    "Objective": "zermelo.objectives.base",
    "Parity": "zermelo.objectives.infinite",
    "PlainSet": "zermelo.objectives.base",
    "Quantitative": "zermelo.objectives.quantitative",
    "Reach": "zermelo.objectives.terminal",
    "ReachAvoid": "zermelo.objectives.reach_avoid",
    "Repetition": "zermelo.objectives.geography",
    "Return": "zermelo.objectives.geography",
    "Safety": "zermelo.objectives.terminal",
    "ShortestPath": "zermelo.objectives.quantitative",
    "StuckPayoff": "zermelo.objectives.terminal",
    "TerminalPayoff": "zermelo.objectives.terminal",
}
"""The module of each name, which is imported when the name is first used."""

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
    "ReachAvoid",
    "Repetition",
    "Return",
    "Safety",
    "ShortestPath",
    "StuckPayoff",
    "TerminalPayoff",
]

import_on_use(__name__, _HOME)
