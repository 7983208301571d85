"""The labelling round by round, and the reasons for one answer.

| rule     | why a situation has its value                                                      |
|----------|------------------------------------------------------------------------------------|
| "end"    | play ends here                                                                     |
| "can"    | some move leads to the value that the player to move wants                         |
| "must"   | no move leads to anything better for the player to move                            |
| "agreed" | neither player can do better, and both accept an end that pays like infinite play  |
| "rest"   | no round decides the situation, so infinite play does                              |
"""

from zermelo.trace.door import trace
from zermelo.trace.film import Change, Film, Frame
from zermelo.trace.levels import Level, Recursion
from zermelo.trace.reasons import Reason, explain, format_reason
from zermelo.trace.rounds import Decision, Round, Trace

__all__ = [
    "Change",
    "Decision",
    "Film",
    "Frame",
    "Level",
    "Reason",
    "Recursion",
    "Round",
    "Trace",
    "explain",
    "format_reason",
    "trace",
]
