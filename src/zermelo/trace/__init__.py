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

from zermelo._runtime.lazy import import_on_use

__all__ = import_on_use(__name__)
