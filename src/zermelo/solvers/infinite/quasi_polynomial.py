"""Succinct progress measures: quasi-polynomial time, V^(O(log d)), and 8 · V · log₂ V bytes.

As in small progress measures, each position gets the least measure that its moves allow. But the
branches of an ordered tree with n leaves can be described without a counter up to n on each level:
one bit string for each level is enough, and these strings have ⌈log₂ n⌉ bits *together*. There are
only quasi-polynomially many such descriptions, so no position is lifted more often than that.

Reference: [JurdzinskiLazic2017].

| paper                       | code                                                          |
|-----------------------------|---------------------------------------------------------------|
| adaptive multi-counter      | a row of ``measure``: the bits of all levels in order         |
| 0s < ε < 1s′                | ``compare_succinct``                                          |
| μ + 1, truncated            | ``advance_succinct``                                          |
| ⌈log₂ η⌉                    | ``limit``, at most ``width``                                  |
| ⊤                           | ``TOP`` in the position's status                              |

Differs from the paper: η is the number of positions of the opponent's parity that are not yet top,
plus one for the least branch. So measures get fewer bits while more and more positions become top;
the tree of the remaining measures has no more leaves than η. The measures of both players are
lifted in turns, which gives both strategies, and a position whose measure is final for one player
becomes top for the other (``_lifting.py``).
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
    return run_measures(game, progress, "quasi-polynomial", succinct=True)


solve = framed("quasi-polynomial", run)
