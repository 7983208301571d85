"""Small progress measures: O(d · E · (V / ⌊d / 2⌋)^⌊d / 2⌋) time, 4 · d · V bytes, d priorities.

A measure of a position bounds, for each priority of the opponent's parity from the highest down,
the number of positions with it that may be met before a higher priority of the own parity. Where
the player moves, it must be no less than that of *one* successor, elsewhere than that of *all*, up
to the position's own priority, and strictly more if that is the opponent's. Lifting from zero gives
the least such measures; a position is won by the player iff its count does not overflow, and moving
to a successor that the measure rests on wins.

Reference: [Jurdzinski2000].

| paper                  | code                                                                 |
|------------------------|----------------------------------------------------------------------|
| M_G, [n_1] × [n_3] × … | a row of ``measure``, the highest priority first; ``bound``          |
| ⊤                      | ``TOP`` in the position's status                                     |
| <_i                    | ``compare_small`` on the first ``length`` entries                    |
| Prog(ϱ, v, w)          | ``advance_small``                                                    |
| Lift(ϱ, v)             | ``lift``                                                             |

Differs from the paper: the highest priority counts, not the least. Both players' measures are
lifted in turns, since one player's give no strategy to the other, and what is settled for one is
top for the other (``_lifting.py``); the bounds n_i count only the positions that are not yet top; a
worklist has the positions that have risen, and a position of the player is looked at again only if
its witness rose.
"""

from zermelo.solvers.infinite._frame import Answer, ParityGame, Progress, framed
from zermelo.solvers.infinite._lifting import run_measures


def run(game: ParityGame, progress: Progress = None) -> Answer:
    """Winners and both strategies; ``stats`` counts the lifts and the turns of the two players.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 2)], owner=[0, 1, 0])
    >>> solve(g, zm.Parity([2, 1, 1])).winner.tolist()
    [1, 1, 1]
    """
    return run_measures(game, progress, "progress-measures", succinct=False)


solve = framed("progress-measures", run)
