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

from zermelo.trace.colour_levels import ColourLevel, ColourRecursion
from zermelo.trace.cycles import CycleExplanation
from zermelo.trace.door import explain, trace
from zermelo.trace.explanation import Explanation
from zermelo.trace.film import Change, Film, Frame
from zermelo.trace.levels import Level, Recursion
from zermelo.trace.lifting import Lift, Lifting
from zermelo.trace.memory import MemoryExplanation
from zermelo.trace.past import PastExplanation
from zermelo.trace.pieces import Settled, Settling
from zermelo.trace.reasons import Reason, format_reason
from zermelo.trace.rounds import Decision, Round, Trace
from zermelo.trace.steps import Steps
from zermelo.trace.worths import Choice, WorthExplanation

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
