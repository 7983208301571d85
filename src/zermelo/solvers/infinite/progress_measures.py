"""Small progress measures: O(d · E · (V / ⌊d / 2⌋)^⌊d / 2⌋) time, 4 · d · V bytes, d priorities.

A measure of a player at a position bounds, for each priority of the opponent's parity from the
highest down, the number of positions of this priority that may be seen before a higher priority of
the player's own parity. Where the player moves, the measure must be at least that of *one*
successor; where the opponent moves, at least that of *all* successors. Measures are compared up to
the priority of the position, and the inequality is strict if this priority has the opponent's
parity. Lifting from zero gives the least such measures. The player wins a position iff its count
does not overflow, and wins by moving to the successor with which the measure was computed.

Reference: [Jurdzinski2000].

| paper                  | code                                                                 |
|------------------------|----------------------------------------------------------------------|
| M_G, [n_1] × [n_3] × … | a row of ``measure``, the highest priority first; ``bound``          |
| ⊤                      | ``TOP`` in the position's status                                     |
| <_i                    | ``compare_small`` on the first ``length`` entries                    |
| Prog(ϱ, v, w)          | ``advance_small``                                                    |
| Lift(ϱ, v)             | ``lift``                                                             |

Differs from the paper: the highest priority counts, not the least. The measures of both players are
lifted in turns, since the measures of one player give no strategy for the other, and a position
whose measure is final for one player becomes top for the other (``_lifting.py``). The bounds n_i
count only the positions that are not yet top. A list contains the positions whose measures have
risen, and a position of the player is examined again only if the measure of its witness has risen.
"""

from zermelo.solvers.infinite._lifting import run_measures
from zermelo.solvers.infinite.frame import Answer, ParityGame, Progress, framed


def run(game: ParityGame, progress: Progress = None) -> Answer:
    """Winners and both strategies; ``stats`` counts the lifts and the turns of the two players.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 2)], owner=[0, 1, 0])
    >>> solve(g, zm.Parity([2, 1, 1])).winner.tolist()
    [1, 1, 1]
    """
    return run_measures(game, progress, "progress-measures", succinct=False)


solve = framed("progress-measures", run)
