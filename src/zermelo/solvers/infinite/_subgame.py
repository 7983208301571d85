"""Parts of a parity game: the decided positions, the remaining subgame, and its answer."""

import numpy as np

from zermelo._kernels.parity.passes import Board, count_rows, fill_rows
from zermelo.graph import Graph
from zermelo.labels import NO_MOVE, NO_WINNER, AnyArray, Int8Array, Int32Array, read_only
from zermelo.solvers.infinite.frame import Answer, ParityGame


def new_board(game: ParityGame) -> Board:
    """A board on which nothing is decided.

    >>> game = ParityGame(Graph.from_edges([(0, 0), (0, 1), (1, 0)], owner=[0, 1]), np.zeros(2))
    >>> new_board(game).left.tolist()
    [2, 1]
    """
    n = game.n
    winner, strategy = np.full(n, NO_WINNER, np.int8), np.full(n, NO_MOVE, np.int32)
    return Board(winner, strategy, game.graph.out_degree.copy(), np.empty(n, np.int32))


def cut(
    game: ParityGame, members: Int32Array, winner: Int8Array, number: Int32Array, loops: bool = True
) -> ParityGame:
    """The subgame of undecided positions, closed under undecided moves, with or without loops.

    ``members`` are increasing, ``number`` is scratch of n entries.

    >>> graph = Graph.from_edges([(0, 0), (1, 0), (1, 2), (2, 2), (2, 1)], owner=[0, 0, 1])
    >>> game, winner = ParityGame(graph, np.zeros(3, np.int32)), np.array([0, -1, -1], np.int8)
    >>> part = cut(game, np.array([1, 2], np.int32), winner, np.empty(3, np.int32))
    >>> part.graph.to_edges().tolist(), part.owner.tolist()
    ([[0, 1], [1, 0], [1, 1]], [0, 1])
    """
    number[members] = np.arange(members.size, dtype=np.int32)
    rows = np.zeros(members.size + 1, np.int64)
    count_rows(game.moves, winner, members, rows, int(loops))
    targets = np.empty(int(rows[-1]), np.int32)
    fill_rows(game.moves, winner, members, number, targets, int(loops))
    graph = Graph._of(rows, targets, game.owner[members])
    return ParityGame(graph, read_only(game.priority[members]))


def write(members: AnyArray, answer: Answer, winner: Int8Array, strategy: Int32Array) -> None:
    """Write a subgame's answer to its members.

    >>> winner, strategy = np.full(3, -1, np.int8), np.full(3, -1, np.int32)
    >>> answer = Answer(np.array([1, 0], np.int8), np.array([1, -1], np.int32))
    >>> write(np.array([0, 2]), answer, winner, strategy)
    >>> winner.tolist(), strategy.tolist()
    ([1, -1, 0], [2, -1, -1])
    """
    move = answer.strategy
    winner[members] = answer.winner
    strategy[members] = np.where(move == NO_MOVE, NO_MOVE, members[move]) if move.size else move
