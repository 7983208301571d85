"""Forged pieces that were never solved: the checker accepts only true claims."""

import dataclasses
import random

import numpy as np
import pytest

import zermelo as zm
from tests import oracles_geography as oracle
from tests.geography import games
from zermelo.errors import CertificateError
from zermelo.labels import UNDECIDED
from zermelo.solutions.geography import Piece, Play, geography_solution
from zermelo.verify.geography.situations import Situations

KINDS = ("exit", "single", "matching", "reversible", "search", "open")
over_games = pytest.mark.parametrize("game", oracle.GAMES)


class Forger:
    """Gives each piece the labels of its kind, whether or not the kind fits."""

    def __init__(self, solution, rng):
        self.solution, self.play, self.rng = solution, solution.play, rng
        self.graph, self.objective = self.play.graph, self.play.objective
        label = self.play.plain.label
        self.label = np.where(label == 0, UNDECIDED, label).astype(np.int8)
        won = self.label == 1
        self.first = np.where(won, self.play.plain.move, -1).astype(np.int32)
        self.order = np.zeros(self.graph.n, np.int32)
        self.pieces = []

    def add(self, kind, positions):
        """Add a piece."""
        part = sorted(positions)
        place = {v: k for k, v in enumerate(part)}
        rows = [self.graph.successors(v).tolist() for v in part]
        inside = [
            [place[w] for w in row if w in place and w != v]
            for v, row in zip(part, rows, strict=True)
        ]
        leaves = [any(w not in place for w in row) for row in rows]
        stuck = [-1 if out else self.objective.stuck for out in leaves]
        edges = [(v, w) for v, row in enumerate(inside) for w in row]
        proof = None
        if kind == "exit":
            labels = [1] * len(part)
            lost = [[w for w in row if self.label[w] < 0] or row or [-1] for row in rows]
            firsts = [self.rng.choice(row) for row in lost]
        elif kind == "matching":
            proof = zm.gallai_edmonds(zm.Graph.from_edges(edges, n=len(part)))
            labels = np.where(proof.matching.inessential, -1, 1).tolist()
            firsts = [
                part[m] if x > 0 else -1 for m, x in zip(proof.matching.mate, labels, strict=True)
            ]
        elif kind == "search":
            labels, firsts = self.search(inside, stuck, part)
        else:
            labels = {"single": stuck}.get(kind, [UNDECIDED if kind == "open" else -1] * len(part))
            firsts = [-1] * len(part)
        self.pieces.append(Piece(kind, np.array(part, np.int32), proof))
        self.order[part], self.label[part] = len(self.pieces), labels
        self.first[part] = firsts

    def search(self, inside, stuck, part):
        """The labels by the checker's own search, without the surroundings."""
        arena = Situations(inside, stuck, self.objective.returns, ())
        everything = (1 << len(inside)) - 1
        labels, firsts = [], []
        for v, row in enumerate(inside):
            free = everything & ~arena.closes[v]
            labels.append(arena._solve(v, free))
            fresh = [w for w in row if free >> w & 1]
            lost = [w for w in fresh if arena._solve(w, free & ~arena.closes[w]) < 0]
            firsts.append(part[lost[0]] if labels[-1] > 0 and lost else -1)
        return labels, firsts

    def claim(self):
        """The forged solution."""
        play = Play(
            self.graph, self.objective, self.play.plain, self.label, self.order, self.first,
            tuple(self.pieces),
        )  # fmt: skip
        return geography_solution(self.solution.graph, "forger", self.objective, play)


def accepted(claim):
    try:
        claim.verify()
    except CertificateError:
        return False
    return True


def is_true(claim, game):
    """Whether labels and moves are right, by the oracle; undecided claims nothing."""
    succ = games.rows(claim.graph)
    for v, label in enumerate(claim.label.tolist()):
        if label != UNDECIDED and (label == 1) != oracle.wins(succ, game, (v,)):
            return False
        moves = oracle.winning_moves(succ, game, (v,)) if label == 1 else []
        if claim.move[v] not in (moves or [-1]):
            return False
    return True


def partition(rng, positions):
    """Random pieces, mostly small ones, in a random order."""
    rng.shuffle(positions)
    while positions:
        size = min(len(positions), rng.choice((1, 1, 2, 2, 3, 4)))
        yield positions[:size]
        del positions[:size]


@pytest.mark.slow
@over_games
def test_random_pieces_are_accepted_only_if_they_are_right(game):
    rng, seen = random.Random(f"forge {game}"), set()
    for g in games.random_graphs(60, f"forge {game}", low=2, high=5, moves=9):
        solution = zm.solve(g, games.objective(game))
        open_ = np.flatnonzero(solution.play.plain.label == 0).tolist()
        for _ in range(12):
            forger = Forger(solution, rng)
            for part in partition(rng, list(open_)):
                forger.add(rng.choice(KINDS), part)
            claim = forger.claim()
            verdict = accepted(claim)
            assert is_true(claim, game) or not verdict
            seen.add(verdict)
    assert seen == {True, False}


@pytest.mark.slow("no-repetition", "no-repetition misere")
@over_games
def test_the_pieces_of_another_kind_are_accepted_only_if_they_are_right(game):
    """The right parts in their order, one of them with a wrong kind."""
    rng = random.Random(f"kinds {game}")
    for g in games.random_graphs(40, f"kinds {game}", low=3, high=6, moves=12):
        solution = zm.solve(g, games.objective(game))
        pieces = solution.play.pieces
        for k in range(len(pieces)):
            for kind in KINDS:
                forger = Forger(solution, rng)
                for j, piece in enumerate(pieces):
                    forger.add(kind if j == k else piece.kind, piece.positions.tolist())
                claim = forger.claim()
                assert is_true(claim, game) or not accepted(claim)


@pytest.mark.slow("no-repetition", "no-repetition misere")
@over_games
def test_one_entry_changed_is_accepted_only_if_it_is_right(game):
    """Change labels, orders and first moves, one at a time, to all values near the range."""
    for g in games.random_graphs(6, f"entries {game}", low=3, high=5, moves=9):
        solution = zm.solve(g, games.objective(game)).verify()
        play = solution.play
        for key, values in (
            ("label", range(-2, 3)),
            ("order", range(-1, len(play.pieces) + 2)),
            ("first", range(-2, play.graph.n + 1)),
        ):
            for v in range(play.graph.n):
                for value in values:
                    array = getattr(play, key).copy()
                    array[v] = value
                    forged = dataclasses.replace(play, **{key: array})
                    try:
                        claim = geography_solution(g, "forger", play.objective, forged)
                    except CertificateError:  # the record itself refuses the value
                        continue
                    if accepted(claim):
                        assert is_true(claim, game)


def refused(solution, match, **fields):
    """The solution with another play is refused with this message."""
    play = dataclasses.replace(solution.play, **fields)
    with pytest.raises(CertificateError, match=match):
        geography_solution(solution.graph, "forger", play.objective, play).verify()


def test_the_solution_agrees_with_the_pieces():
    g = zm.Graph.from_edges([("a", "b"), ("b", "c"), ("c", "a"), ("c", "b")])
    solution = zm.solve(g, zm.NoReturn()).verify()
    assert solution.label.tolist() == [-1, -1, 1]

    def attack(match, **fields):
        with pytest.raises(CertificateError, match=match):
            dataclasses.replace(solution, **fields).verify()

    label, level = np.array([-1, 1, 1], np.int8), np.array([0, 1, 1], np.int8)
    attack("'b': expected the label of the game's own node", label=label, level=level)
    attack("'b': expected label", label=np.array([-1, 3, 1], np.int8))
    attack("'b': expected label", label=np.array([-1, -2, 1], np.int8))
    attack("'b': expected level 1 with label 1", level=level)
    attack("'b': expected level", label=np.array([-1, UNDECIDED, 1], np.int8))
    attack(
        "'b': expected a label −1, 1 or 2 .undecided., as nothing is drawn",
        label=np.array([-1, 0, 1], np.int8),
    )
    for wrong in (2, 3):
        attack("'c': expected level", level=np.array([0, 0, wrong], np.int8))
    attack("'c': expected no distance", distance=np.array([-1, -1, 1], np.int32))
    attack("'a': expected no distance", distance=np.array([0, -1, -1], np.int32))
    for start in (-1, 3):
        attack("start: expected", start=start)
    for start in (None, 0, 2):
        dataclasses.replace(solution, start=start).verify()
    for field in ("label", "level", "distance"):
        array = getattr(solution, field)
        attack(f"{field}: expected", **{field: array[:2].copy()})
        attack(f"{field}: expected", **{field: array.astype(np.float64)})
    forged = dataclasses.replace(solution)
    forged.__dict__["move"] = np.array([-1, -1, 0], np.int32)
    if forged.move.tolist() != solution.move.tolist():
        with pytest.raises(
            CertificateError, match="'c': expected the first move of the game's own"
        ):
            forged.verify()
    forged.__dict__["move"] = np.array([-1, 2, solution.move[2]], np.int32)
    with pytest.raises(CertificateError, match="'b': expected the first move of the game's own"):
        forged.verify()
    forged.__dict__["move"] = np.zeros(2, np.int32)
    with pytest.raises(CertificateError, match="move: expected int32"):
        forged.verify()


def test_arrays_of_the_pieces_have_a_shape_and_a_type():
    solution = zm.solve(zm.generators.cycle(5), zm.NoReturn()).verify()
    for name in ("label", "order", "first"):
        array = getattr(solution.play, name)
        for wrong in (array[:4].copy(), array.astype(np.int64), array[None].copy()):
            play = dataclasses.replace(solution.play, **{name: wrong})
            with pytest.raises(CertificateError, match=f"{name}: expected int"):
                dataclasses.replace(solution, play=play).verify()


@pytest.mark.parametrize(
    ("positions", "message"),
    [
        ([], "expected increasing positions"),
        ([0, 2, 1], "expected increasing positions"),
        ([0, 1, 1], "expected increasing positions"),
        ([-1, 0, 1], "expected increasing positions"),
        ([0, 1, 9], "expected increasing positions"),
        ([0, 1, 6], "expected increasing positions"),
        ([0, 1, 3], "expected order 1"),
        ([[0, 1, 2]], "piece 1: expected int32"),
    ],
)
def test_positions_of_a_piece(positions, message):
    """Two cycles; the labels of the second differ from those in a longer piece."""
    g = zm.Graph.from_edges([(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)])
    solution = zm.solve(g, zm.NoReturn()).verify()
    one, two = solution.play.pieces
    assert one.positions.tolist() == [0, 1, 2]
    forged = dataclasses.replace(one, positions=np.array(positions, np.int32))
    fields = {"pieces": (forged, two)}
    if len(positions) == 0:
        fields["order"] = np.where(solution.play.order == 1, 0, 2).astype(np.int32)
        label = np.where(fields["order"] == 0, UNDECIDED, solution.play.label)
        fields["label"] = label.astype(np.int8)
    refused(solution, message, **fields)
    wide = dataclasses.replace(one, positions=one.positions.astype(np.int64))
    refused(solution, "piece 1: expected int32", pieces=(wide, two))


def test_a_position_is_in_one_piece():
    """Otherwise a piece could depend on positions that another piece decides differently."""
    g = zm.Graph.from_edges([(0, 1), (1, 0)])
    solution = zm.solve(g, zm.NoReturn(), "geography-search").verify()
    (piece,) = solution.play.pieces
    again = dataclasses.replace(piece, positions=np.array([0], np.int32))
    refused(solution, "in at most one piece", pieces=(piece, again))
    refused(solution, "in at most one piece", pieces=())
    refused(solution, "expected order 1", order=np.array([1, 2], np.int32))


def forged(solution, pieces, **arrays):
    """Pieces of (kind, positions, proof) with arrays of the play."""
    order = np.zeros(solution.play.graph.n, np.int32)
    made = []
    for kind, part, proof in pieces:
        made.append(Piece(kind, np.array(part, np.int32), proof))
        order[part] = len(made)
    kinds = {"label": np.int8, "first": np.int32}
    fields = {key: np.array(x, kinds[key]) for key, x in arrays.items()}
    return {"order": order, "pieces": tuple(made), **fields}


def test_a_single_piece_is_one_position():
    """Two positions that lead only to each other would be stuck if they were single pieces."""
    solution = zm.solve(zm.Graph.from_edges([(0, 1), (1, 0)]), zm.NoReturn())
    fields = forged(solution, [("single", [0, 1], None)], label=[-1, -1], first=[-1, -1])
    refused(solution, "expected a single position", **fields)


def test_a_stuck_winner_has_no_move():
    solution = zm.solve(zm.Graph.from_edges([(0, 0)]), zm.NoReturn(misere=True)).verify()
    assert solution.label.tolist() == [1]
    fields = forged(solution, [("single", [0], None)], label=[1], first=[0])
    refused(solution, "expected no move that wins", **fields)


def test_a_loop_is_an_exit_where_coming_back_wins():
    solution = zm.solve(zm.Graph.from_edges([(0, 0)]), zm.Return()).verify()
    assert solution.label.tolist() == [1]
    fields = forged(solution, [("single", [0], None)], label=[-1], first=[-1])
    refused(solution, "has a loop, so it must be an exit", **fields)
    g = zm.Graph.from_edges([(0, 1), (1, 0), (0, 0)])
    solution = zm.solve(g, zm.Return()).verify()
    assert solution.label.tolist()[0] == 1
    for kind, message in (("search", "has a loop"), ("reversible", "taking a move back")):
        fields = forged(solution, [(kind, [0, 1], None)], label=[-1, -1], first=[-1, -1])
        refused(solution, message, **fields)


def test_moves_are_taken_back_only_where_that_wins():
    """If a return loses or is forbidden, a symmetric piece is not lost."""
    g = zm.Graph.from_edges([(0, 1), (1, 0)])
    for objective in (zm.NoReturn(), zm.NoReturn(misere=True), zm.Repetition()):
        solution = zm.solve(g, objective)
        fields = forged(solution, [("reversible", [0, 1], None)], label=[-1, -1], first=[-1, -1])
        refused(solution, "taking a move back does not win", **fields)


@pytest.mark.parametrize("objective", [zm.NoReturn(), zm.Return()])
def test_symmetric_pieces_are_symmetric(objective):
    """On a directed cycle with a chord, matchings and reversible moves give other labels."""
    g = zm.Graph.from_edges([(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)])
    solution = zm.solve(g, objective).verify()
    parts = zm.gallai_edmonds(g)
    kind = "reversible" if objective.returns else "matching"
    lost = np.ones(4, bool) if objective.returns else parts.matching.inessential
    label = np.where(lost, -1, 1)
    assert label.tolist() != solution.label.tolist()
    first = np.where(lost, -1, parts.matching.mate)
    fields = forged(solution, [(kind, [0, 1, 2, 3], parts)], label=label, first=first)
    refused(solution, "expected moves that have their reverse", **fields)


def test_matchings_decide_one_game_only():
    g = zm.generators.cycle(4, symmetric=True).graph
    parts = zm.gallai_edmonds(g)
    mates = parts.matching.mate
    for objective in (zm.NoReturn(misere=True), zm.Return()):
        solution = zm.solve(g, objective).verify()
        assert solution.label.tolist() != [1] * 4
        fields = forged(solution, [("matching", [0, 1, 2, 3], parts)], label=[1] * 4, first=mates)
        refused(solution, "no matching decides this game", **fields)


def test_matchings_are_of_the_piece_and_right():
    g = zm.generators.path(3, symmetric=True).graph
    solution = zm.solve(g, zm.NoReturn()).verify()
    assert solution.label.tolist() == [-1, 1, -1]
    part = [0, 1, 2]
    other = zm.gallai_edmonds(zm.generators.cycle(3, symmetric=True))
    for proof in (None, other, "a matching", zm.solve(g, zm.NoReturn(), "geography-search").play):
        fields = forged(solution, [("matching", part, proof)], label=[-1] * 3, first=[-1] * 3)
        reason = "expected one of the graph" if proof is other else "expected a matching, got none"
        refused(solution, reason, **fields)
    right = zm.gallai_edmonds(g)
    wrong = dataclasses.replace(right.matching, part=np.zeros(3, np.int8))
    wrong = dataclasses.replace(right, matching=wrong)
    fields = forged(solution, [("matching", part, wrong)], label=[-1] * 3, first=[-1] * 3)
    refused(solution, "in every maximum matching", **fields)
    fields = forged(solution, [("matching", part, right)], label=[-1] * 3, first=[-1] * 3)
    refused(solution, "exactly in part D", **fields)
    mate = right.matching.mate[1]
    fields = forged(
        solution, [("matching", part, right)], label=[-1, 1, -1], first=[-1, 2 - mate, -1]
    )
    refused(solution, "its mate as first move", **fields)


def test_exits_lead_to_earlier_lost_starts_by_their_move():
    """0, 1, 2 is a lost cycle; 3 has an exit to it, 4 has an exit to the won 3; 5 is on a cycle."""
    edges = [(0, 1), (1, 2), (2, 0), (3, 0), (3, 4), (4, 3), (3, 5), (5, 3)]
    solution = zm.solve(zm.Graph.from_edges(edges), zm.NoReturn()).verify()
    assert solution.label.tolist() == [-1, -1, -1, 1, -1, -1]
    search, exit_, *_ = solution.play.pieces
    assert (search.kind, exit_.kind, exit_.positions.tolist()) == ("search", "exit", [3])
    for w in (-1, 3, 4, 5):  # no move, not a move of the position, and moves to later pieces
        first = solution.play.first.copy()
        first[3] = w
        refused(solution, "expected a move to an earlier lost start", first=first)
    label = solution.play.label.copy()
    label[3] = UNDECIDED
    refused(solution, "no first move|label 1, because there is an exit", label=label)
    first = solution.play.first.copy()
    first[3] = -1
    refused(solution, "earlier lost start", label=label, first=first)
    pieces = [("single", [4], None), ("exit", [3], None), ("search", [0, 1, 2], search.proof)]
    fields = forged(solution, [*pieces, ("single", [5], None)])
    refused(solution, "expected moves to earlier pieces|earlier lost start", **fields)


def test_a_loop_wins_at_once_only_where_coming_back_wins():
    g = zm.Graph.from_edges([(0, 0), (0, 1), (1, 0)])
    for objective in (zm.NoReturn(), zm.NoReturn(misere=True), zm.Repetition()):
        solution = zm.solve(g, objective)
        fields = forged(solution, [("exit", [0, 1], None)], label=[1, 1], first=[0, 0])
        refused(solution, "expected a move to an earlier lost start", **fields)


def test_no_piece_but_an_exit_leads_to_a_lost_or_open_start():
    """A position with a move to a lost start is won; with a move to an open one it may be won."""
    edges = [(0, 1), (1, 2), (2, 0), (3, 0)]
    solution = zm.solve(zm.Graph.from_edges(edges), zm.NoReturn()).verify()
    proof = solution.play.pieces[0].proof
    fields = forged(
        solution, [("search", [0, 1, 2], proof), ("single", [3], None)],
        label=[-1, -1, -1, -1], first=[-1] * 4,
    )  # fmt: skip
    refused(solution, "expected that only exits have moves to lost starts", **fields)
    fields = forged(
        solution, [("open", [0, 1, 2], None), ("single", [3], None)],
        label=[*[UNDECIDED] * 3, -1], first=[-1] * 4,
    )  # fmt: skip
    refused(solution, "expected that only exits have moves to lost starts", **fields)
    fields = forged(
        solution, [("open", [0, 1, 2], None), ("exit", [3], None)],
        label=[*[UNDECIDED] * 3, 1], first=[-1, -1, -1, 0],
    )  # fmt: skip
    refused(solution, "expected a move to an earlier lost start", **fields)
    fields = forged(
        solution, [("single", [3], None), ("search", [0, 1, 2], proof)],
        label=[1, 1, 1, -1], first=[1, 2, 0, -1],
    )  # fmt: skip
    refused(solution, "expected moves to earlier pieces", **fields)


def test_an_open_piece_claims_nothing():
    solution = zm.solve(zm.generators.cycle(3), zm.NoReturn()).verify()
    pieces = [("open", [0, 1, 2], None)]
    refused(solution, "the piece is open", **forged(solution, pieces))
    for kind in ("other", "", None):
        refused(solution, "a known kind", **forged(solution, [(kind, [0, 1, 2], None)]))
    fields = forged(solution, pieces, label=[UNDECIDED] * 3, first=[-1] * 3)
    play = dataclasses.replace(solution.play, **fields)
    nobody = geography_solution(solution.graph, "nobody", play.objective, play).verify()
    assert nobody.counts()["undecided"] == 3
    refused(solution, "no first move", **fields | {"first": np.array([1, -1, -1], np.int32)})


def test_first_moves_of_a_searched_piece():
    """First moves stay inside, exist exactly for won starts, and win."""
    edges = [(0, 1), (1, 2), (2, 0), (2, 1), (2, 3), (3, 4)]
    g = zm.Graph.from_edges(edges)
    solution = zm.solve(g, zm.NoReturn()).verify()
    assert solution.label.tolist() == [-1, -1, 1, 1, -1]
    assert solution.play.first[2] in (0, 1)
    for v, w, message in (
        (2, 3, "a first move inside its piece"),
        (2, -1, "a first move inside its piece"),
        (2, 2, "expected its first move to be possible"),
        (2, 5, "no first move"),
        (2, -2, "no first move"),
        (0, 1, "no first move"),
        (3, 2, "the first move of the plain game"),
        (3, -1, "the first move of the plain game"),
    ):
        first = solution.play.first.copy()
        first[v] = w
        refused(solution, message, first=first)


def test_the_plain_game_is_this_one_and_decides_first():
    edges = [(0, 1), (1, 2), (2, 0), (3, 4)]
    g = zm.Graph.from_edges(edges)
    solution = zm.solve(g, zm.NoReturn()).verify()
    plain = solution.play.plain
    wrong = dataclasses.replace(plain, label=-plain.label, level=2 - plain.level)
    refused(solution, "expected", plain=wrong)
    reason = "the plain game: expected one of the objective NormalPlay"
    refused(solution, reason, plain=zm.solve(g, zm.Misere()))
    other = zm.Graph.from_edges([*edges[:-1], (4, 3)])
    refused(solution, "the plain game: expected one of the graph", plain=zm.solve(other))
    misere = zm.solve(g, zm.NoReturn(misere=True)).verify()
    reason = "the plain game: expected one of the objective Misere"
    refused(misere, reason, plain=plain)
    label = solution.play.label.copy()
    label[4] = 1
    refused(solution, "expected the label of the plain game", label=label)
    proof = solution.play.pieces[0].proof
    fields = forged(
        solution, [("search", [0, 1, 2], proof), ("single", [4], None), ("exit", [3], None)],
        first=[-1, -1, -1, 4, -1],
    )  # fmt: skip
    refused(solution, "expected no piece, because the plain game decides", **fields)


def test_the_line_digraph_is_the_one_of_the_graph():
    g = zm.Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 1), (2, 2)])
    solution = zm.solve(g, zm.NoRepetition()).verify()
    others = [
        zm.Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 0), (2, 2)]),
        zm.Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 1), (2, 2)], n=4),
        zm.Graph.from_edges([(0, 2), (1, 0), (1, 2), (2, 1), (2, 2)]),
    ]
    for other in others:
        with pytest.raises(CertificateError, match=r"expected (an array|the pieces)"):
            dataclasses.replace(solution, graph=other).verify()
        play = zm.solve(other, zm.NoRepetition()).play
        play = dataclasses.replace(play, objective=solution.objective)
        label = play.label[-g.n :].copy()
        level = (label > 0).astype(np.int8)
        claim = dataclasses.replace(solution, label=label, level=level, play=play)
        with pytest.raises(CertificateError, match="line digraph"):
            claim.verify()
    same = zm.solve(zm.Graph.from_edges(g.to_edges(), n=3), zm.NoReturn())
    with pytest.raises(CertificateError, match="the pieces: expected one of the objective"):
        dataclasses.replace(solution, play=same.play).verify()
