"""The checker of solved rules, on disk or in memory: it shares no code with the solver.

It uses only the rules, and looks one move ahead. Let a position have value ``v`` and distance
``d``, for the player to move there; values after its moves are for the same player, too. This is
checked:

1. *If play is over*, ``v`` is the payoff of the rules or of the objective, and ``d`` is 0.
2. *Otherwise* ``v`` is the greatest value after a move. Consider the moves that keep this value.
   - If ``v`` is greater than the payoff of infinite play, ``d`` is 1 + their least distance.
   - If it is less, ``d`` is 1 + their greatest distance.
   - If it is equal, ``d`` is 1 + the least distance of those moves that lead to a distance; there
     is no distance if there is no such move.

If this holds at every position, the values are right. For a value above that of infinite play, the
player to move reaches an end that pays it by moves that decrease ``d``. For a value below, the
opponent can do the same. A player who chooses only moves with at least the value of infinite play
is never forced below it. Distances are right by induction on the least wrong one. If only samples
are checked, this is a test and no proof.

A table of *labels alone* has no distances. Its values are compared with those after the moves in
the same way. That is no proof where play may come back to a position: won and lost positions may
support one another in a circle. So the checker finds for itself an order in which the values that
are not those of infinite play, and the ties, follow from the ends: by one move that keeps the value
where ``d`` would be 1 + a least distance, by all of them where it would be 1 + the greatest.

A table with *distances to conversion* is checked like one of labels alone, and then its distances
are compared with those after the moves:
the distance is 0 where play is over, and otherwise 1 + the least (of a win) or the greatest (of a
loss) of the numbers after the moves that keep the label; this number is 0 after a conversion, else
the distance there. If this holds everywhere, all distances are right: at a position where the
claimed and the true distance differ and the less of the two is as small as possible, the moves that
decide on it lead to distances that agree, and so do the two. A distance to conversion proves no
label, because it begins anew after each conversion.

The entries must be those of the whole game. The start must have an entry, and the positions that
play reaches from it must be exactly those with entries. (If rules ask for all indices that are
positions, these must have entries.) The numbers in the header are counted again.

Where rules move sets of positions, the same statements are proved for sets, see
:mod:`zermelo.verify.tables.sets`.

Before the temporary file of a new table is renamed, it has to pass the test :func:`suspicion`, and
a table of a user's own rules is checked whole.
"""

import random
from typing import TYPE_CHECKING

from zermelo._runtime.progress import Report
from zermelo.errors import CertificateError
from zermelo.labels import NO_DISTANCE
from zermelo.verify.tables.compiled import examine_compiled
from zermelo.verify.tables.examination import POSITIONS_BETWEEN_REPORTS
from zermelo.verify.tables.game import Game
from zermelo.verify.tables.meanings import game_of
from zermelo.verify.tables.plain import examine_plain

if TYPE_CHECKING:
    from zermelo.tables.solved import SolvedGame

PLAYOUTS = 50
"""The largest number of plays that :func:`suspicion` follows."""


def check_table(
    table: "SolvedGame",
    samples: int | None = None,
    *,
    progress: Report | None = None,
    seed: int = 0,
) -> int:
    """Check all positions of a table, or ``samples`` random ones; return the number of positions.

    A wrong entry raises :class:`~zermelo.errors.CertificateError`, and so does a wrong number in
    the header.
    """
    game = game_of(table)
    game.check(game.rules.start())
    counts = table.counts()
    kinds = sum(counts[name] for name in ("win", "lose", "tie", "draw"))
    if counts["positions"] != kinds or min(counts.values()) < NO_DISTANCE:
        raise game.wrong(
            f"the header counts {counts['positions']:,} positions, but {kinds:,} values of them"
        )
    if samples is None:
        return _check_all(game, progress)
    done = 0
    for done, position in enumerate(table.sample(samples, seed), 1):
        game.check(position)
        if progress is not None and done % POSITIONS_BETWEEN_REPORTS == 0:
            progress(done, samples, "positions verified")
    return done


def _check_all(game: Game, progress: Report | None) -> int:
    """Check all entries, by kernels or in Python; return the number of positions."""
    examine = examine_compiled if game.compiled else examine_plain
    counted, done, stored = examine(game, progress)
    table = game.table
    for name, claimed in table.counts().items():
        if claimed != counted[name]:
            raise game.wrong(f"the header has {name} {claimed:,}, expected {counted[name]:,}")
    if not done == stored == len(table):
        raise game.wrong(
            f"expected {done:,} entries, one for each position of the game; the header claims "
            f"{len(table):,}, and the file has {stored:,}"
        )
    return done


def suspicion(
    table: "SolvedGame", *, whole: bool = False, progress: Report | None = None
) -> str | None:
    """Check some positions of a new table: near the start, of random plays, and random entries.

    Positions of plays are not replaced by their canonical forms, so that a wrong form is noticed,
    too. If ``whole``, all positions are checked then. The result says what is wrong; it is None if
    no mistake was found.
    """
    game, choose = game_of(table), random.Random(0)
    try:
        near = game.rules.start(), *game.options(game.rules.start())
        for position in near:
            game.check(position)
        for _ in range(PLAYOUTS):
            for position in game.playout(choose)[-8:]:
                game.check(position)
            if game.looked_up >= game.sample_size // 2:
                break
        for position in table.sample(game.sample_size // 4):
            game.check(position)
            if options := game.options(position):
                game.check(choose.choice(options))
            if game.looked_up >= game.sample_size:
                break
        game.check_orbits(game.met)
        if whole:
            check_table(table, progress=progress)
    except CertificateError as error:
        return str(error).removeprefix(f"{table.location}: ")
    return None
