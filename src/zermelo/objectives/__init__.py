"""What winning means: one small frozen record each."""

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

OBJECTIVES: dict[str, type[Objective]] = {
    cls.keyword: cls
    for cls in (
        *(NormalPlay, Misere, Asymmetric, G0, G1, H1, TerminalPayoff, Reach, Safety),
        *(Parity, Buchi, CoBuchi, Muller),
        *(NoReturn, Return, NoRepetition, Repetition),
    )
}
"""Every objective by its name on the command line and in files."""

__all__ = [
    "G0",
    "G1",
    "H1",
    "OBJECTIVES",
    "Asymmetric",
    "Buchi",
    "CoBuchi",
    "Geography",
    "Misere",
    "Muller",
    "NoRepetition",
    "NoReturn",
    "NormalPlay",
    "Objective",
    "Parity",
    "PlainSet",
    "Reach",
    "Repetition",
    "Return",
    "Safety",
    "StuckPayoff",
    "TerminalPayoff",
]
