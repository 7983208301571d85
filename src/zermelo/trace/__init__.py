"""The labelling round by round, and the reasons for one answer: for teaching and for doubters.

| rule     | why a situation has its value                                                   |
|----------|---------------------------------------------------------------------------------|
| "end"    | play ends here                                                                  |
| "can"    | some move leads to the value that the mover wants: the mover can                |
| "must"   | no move leads to anything better for the mover: the mover must                  |
| "agreed" | nobody can do better, and both may agree on an end that pays like infinite play |
| "rest"   | what no round decides is decided by infinite play                               |
"""

from zermelo.trace.reasons import Reason, explain, format_reason
from zermelo.trace.rounds import Decision, Round, trace

__all__ = ["Decision", "Reason", "Round", "explain", "format_reason", "trace"]
