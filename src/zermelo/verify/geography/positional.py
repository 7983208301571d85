"""The checker of positional strategies in games of no return; no code of the solvers.

The checker gets a start, the player who should win, her moves, and a matching of each symmetric
piece. The pieces of the game are checked first (:mod:`zermelo.verify.geography.geography`). Then
all positions are visited that her moves and any moves of the opponent may reach:

1. If she is to move when play enters a piece, or at a position that the plain game decides, the
   start is won; if the opponent is to move, it is lost.
2. Outside symmetric pieces her move is the first move of the position, which was checked. From
   there play leads to earlier pieces, or nearer to the end of the plain game: it never returns.
3. In a symmetric piece she moves to the mate. The matching is maximum, because it is as large as
   the one that was checked; and it leaves every position exposed at which she enters the piece.

By 3 the matching always gives her a move. Consider the path that was played in the piece: every
second edge of it is in the matching. Suppose that the opponent comes to an exposed position. If she
had entered the piece, exchanging the edges along the path gives a larger matching, a contradiction.
If he had entered it, the exchange gives a maximum matching that leaves a won position exposed,
which is impossible as well.
"""

from typing import TYPE_CHECKING

import numpy as np

from zermelo.errors import CertificateError
from zermelo.verify.common.entries import check_array, refuse
from zermelo.verify.geography.geography import check_pieces

if TYPE_CHECKING:
    from zermelo.labels import Int32Array
    from zermelo.solutions.geography import Play


def check_positional(
    play: "Play",
    start: int,
    player: int,
    moves: dict[int, int],
    mates: "dict[int, Int32Array]",
) -> None:
    """Raise :class:`~zermelo.errors.CertificateError` unless the moves win from the start.

    ``mates`` has, for the number of a piece, the mate of each position of the graph in it; for
    other pieces the piece's own matching is used.

    >>> import zermelo as zm
    >>> s = zm.solve(zm.generators.path(3, symmetric=True), zm.NoReturn())
    >>> check_positional(s.play, 1, 0, {1: 0}, {})
    Traceback (most recent call last):
    zermelo.errors.CertificateError: position 1: expected its mate 2, the strategy goes to 0
    """
    check_pieces(play)
    for k, mate in mates.items():
        _check_mates(play, k, mate)
    own = {
        k + 1: _spread(play, k)
        for k, piece in enumerate(play.pieces)
        if piece.kind == "matching" and k + 1 not in mates
    }
    mates = own | mates
    queue = [(start, player == 0, -1)]
    seen: set[tuple[int, bool]] = set()
    while queue:
        v, mine, before = queue.pop()
        number = int(play.order[v])
        name = play.graph.name(v)
        if number != before or number not in mates:
            if play.label[v] != (1 if mine else -1):
                raise CertificateError(f"position {name!r}: expected the label of the winner")
            if number in mates and not mine and mates[number][v] >= 0:
                raise CertificateError(
                    f"position {name!r}: expected it to be exposed, because she enters here"
                )
        if (v, mine) in seen:
            continue
        seen.add((v, mine))
        after = [w for w in play.graph.successors(v).tolist() if w != v]
        if mine:
            kind = "mate" if number in mates else "first move"
            wanted = int(mates.get(number, play.first)[v])
            if moves.get(v, -1) != wanted:
                raise CertificateError(
                    f"position {name!r}: expected its {kind} {wanted}, the strategy goes to "
                    f"{moves.get(v, -1)}"
                )
            after = [wanted] if wanted >= 0 else []
        elif number and play.pieces[number - 1].kind in ("reversible", "search", "open"):
            raise CertificateError(f"position {name!r}: expected no piece that needs memory")
        queue += [(w, not mine, number) for w in after]


def _spread(play: "Play", k: int) -> "Int32Array":
    """The mates of a piece's own matching, indexed by positions of the graph."""
    part, mate = play.pieces[k].positions, play.pieces[k].proof.matching.mate
    whole = np.full(play.graph.n, -1, np.int32)
    whole[part] = np.where(mate < 0, -1, part[mate])
    return whole


def _check_mates(play: "Play", k: int, mate: "Int32Array") -> None:
    """Condition 3: a matching inside the piece that is as large as its own one."""
    graph, piece = play.graph, play.pieces[k - 1]
    check_array("mate", mate, (graph.n,), np.int32)
    if piece.kind != "matching":
        raise CertificateError(f"piece {k}: expected a symmetric piece")
    refuse(graph, (mate < -1) | (mate >= graph.n), None, "a mate or -1", "another number")
    matched = np.flatnonzero(mate >= 0)
    pairs = zip(matched.tolist(), mate[matched].tolist(), strict=True)
    for v, w in pairs:
        inside = play.order[v] == play.order[w] == k
        if not inside or v == w or mate[w] != v or w not in graph.successors(v):
            name = graph.name(v)
            raise CertificateError(f"position {name!r}: expected a mate in its piece")
    if matched.size != int((piece.proof.matching.mate >= 0).sum()):
        raise CertificateError(f"piece {k}: expected a matching as large as its own")
