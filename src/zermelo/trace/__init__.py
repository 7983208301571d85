"""How a game is solved, step by step, and the reasons for one answer.

These are the rules of the rounds of games that end; modules of other games have tables of theirs.

| rule     | why a situation has its value                                                      |
|----------|------------------------------------------------------------------------------------|
| "end"    | play ends here                                                                     |
| "can"    | some move leads to the value that the player to move wants                         |
| "must"   | no move leads to anything better for the player to move                            |
| "agreed" | neither player can do better, and both accept an end that pays like infinite play  |
| "rest"   | no round decides the situation, so infinite play does                              |
"""

from zermelo.trace.front import explain, trace
from zermelo.trace.reasons.cycles import CycleExplanation
from zermelo.trace.reasons.explanation import Explanation
from zermelo.trace.reasons.memory import MemoryExplanation
from zermelo.trace.reasons.past import PastExplanation
from zermelo.trace.reasons.terminal import Reason, format_reason
from zermelo.trace.reasons.worths import Choice, WorthExplanation
from zermelo.trace.steps.base import Steps
from zermelo.trace.steps.colour_levels import ColourLevel, ColourRecursion
from zermelo.trace.steps.film import Change, Film, Frame
from zermelo.trace.steps.levels import Level, Recursion
from zermelo.trace.steps.lifting import Lift, Lifting
from zermelo.trace.steps.pieces import Settled, Settling
from zermelo.trace.steps.rounds import Decision, Round, Trace

__all__ = [
    "Change",
    "Choice",
    "ColourLevel",
    "ColourRecursion",
    "CycleExplanation",
    "Decision",
    "Explanation",
    "Film",
    "Frame",
    "Level",
    "Lift",
    "Lifting",
    "MemoryExplanation",
    "PastExplanation",
    "Reason",
    "Recursion",
    "Round",
    "Settled",
    "Settling",
    "Steps",
    "Trace",
    "WorthExplanation",
    "explain",
    "format_reason",
    "trace",
]
