"""Examples that the sources work out by hand, to the letter, and rows of a table of known answers.

Where the source itself slips, the test says so and holds to the definition.
"""

import json
from pathlib import Path

import pytest

import zermelo as zm
from tests import games, oracles

GOLDEN = Path(__file__).parent / "golden"
LOSE, DRAW, WIN = zm.Label.LOSE, zm.Label.DRAW, zm.Label.WIN
NEVER = zm.NO_DISTANCE


def five_positions():
    return zm.Graph.from_edges([(0, 1), (0, 2), (1, 3), (2, 1), (2, 4), (4, 2)])


def turns(graph):
    """The graph with the turn baked in: position (v, e) is owned by player e."""
    edges = [((u, e), (v, 1 - e)) for u, v in graph.to_edges().tolist() for e in (0, 1)]
    names = [(v, e) for v in range(graph.n) for e in (0, 1)]
    return zm.Graph.from_edges(edges, names=names, owner={x: x[1] for x in names})


# -------------------------------------------------------------------- [GamesOnGraphs]


def test_two_cycle():
    """[GamesOnGraphs] §2.1, theory §2: both assignments are consistent, only DRAW is right."""
    s = zm.solve(zm.Graph.from_edges([("a", "b"), ("b", "a")])).verify()
    assert s.label.tolist() == [DRAW, DRAW]
    assert s.distance.tolist() == [NEVER, NEVER]
    for label in ([DRAW, DRAW], [WIN, LOSE], [LOSE, WIN]):  # the local rules like all three
        assert [-label[1], -label[0]] == label


def test_worked_verification():
    """[GamesOnGraphs] §4.1."""
    g = five_positions()
    assert g.out_degree.tolist() == [2, 1, 2, 0, 1]
    assert [g.predecessors(v).tolist() for v in (1, 2, 3, 4)] == [[0, 2], [0, 4], [1], [2]]
    s = zm.solve(g).verify()
    assert s.label.tolist() == [DRAW, WIN, DRAW, LOSE, DRAW]
    assert s.distance.tolist() == [NEVER, 1, NEVER, 0, NEVER]  # the ranks 3: 0, 1: 1
    assert [s[v].best_moves for v in range(5)] == [(2,), (3,), (4,), (), (2,)]
    assert str(s.line(0)) == "0 → 2 → 4 → 2 → …"


def test_counterexample_to_the_guard():
    """[GamesOnGraphs] §5.1: b → a → t, whatever a search in progress says about a → b."""
    g = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("a", "t")])
    s = zm.solve(g).verify()
    assert {x: (s[x].label, s[x].distance) for x in g} == {
        "t": (LOSE, 0),
        "a": (WIN, 1),
        "b": (LOSE, 2),
    }
    assert s.line("b") == ["b", "a", "t"]
    assert s.counts()["draw"] == 0


def test_worked_distance_trace():
    """[GamesOnGraphs] §7.1.

    The source adds "a WIN at even distance from a terminal, a LOSE at odd"; its own figures (and
    the parity under normal play) say the opposite.
    """
    s = zm.solve(zm.Graph.from_edges([(0, 1), (1, 2), (2, 3)])).verify()
    assert s.label.tolist() == [WIN, LOSE, WIN, LOSE]
    assert s.distance.tolist() == [3, 2, 1, 0]
    assert [x == WIN for x in s.label] == [d % 2 == 1 for d in s.distance]
    assert s.line(0) == [0, 1, 2, 3]


def test_worked_attractor():
    """[GamesOnGraphs] §8.1b: Attr({3}) = {3, 1}, with "the opponent is stuck" as the target.

    The source's Definition 8.2 joins the two clauses without saying whose turn it is; read
    literally, 0 → 1 would attract 0. With the turn baked in, the computation is as printed.
    """
    g = turns(five_positions())
    for player in (0, 1):
        s = zm.solve(g, zm.Reach([(3, 1 - player)], player=player)).verify()
        rank = {x: s[x].distance for x in g if s.winner[g.index(x)] == player}
        assert rank == {(3, 1 - player): 0, (1, player): 1}
        safe = zm.solve(g, zm.Safety([x for x in g if x != (3, 1 - player)], player=1 - player))
        assert safe.verify().winner.tolist() == s.winner.tolist()
        drawn = {x for x in g if not rank.keys() & {x, (x[0], 1 - x[1])}}
        assert drawn == {(v, e) for v in (0, 2, 4) for e in (0, 1)}


def test_draws_hold_a_move_inside_the_draw_set():
    """[GamesOnGraphs] §4.2b, §8.1b: 0 → 2, 2 → 4, 4 → 2."""
    s = zm.solve(five_positions())
    assert {v: int(s.move[v]) for v in (0, 2, 4)} == {0: 2, 2: 4, 4: 2}


def test_subtraction_game():
    """[GamesOnGraphs] §10.1: take 1 or 2 stones; LOSE exactly at the multiples of 3."""
    g = zm.Graph.from_edges([(k, k - j) for k in range(31) for j in (1, 2) if j <= k])
    s = zm.solve(g).verify()
    assert [k for k in range(31) if s.label[k] == LOSE] == list(range(0, 31, 3))
    assert s.counts()["draw"] == 0
    assert s.distance.tolist()[::3] == list(range(0, 21, 2))


# -------------------------------------------------------------------- theory §2, [Loewe2004]


def test_terminal_of_the_asymmetric_game():
    """[Loewe2004] §4: a terminal's bilabel is (DRAW, LOSE)."""
    s = zm.solve(zm.Graph.from_edges([("v", "t")]), zm.Asymmetric()).verify()
    assert s.label.tolist() == [[WIN, DRAW], [DRAW, LOSE]]
    assert s.distance.tolist() == [[1, 1], [0, 0]]
    assert s.value.tolist() == [[1, 0], [0, 1]]


def test_asymmetric_infinite_play_is_lost_for_player_0():
    s = zm.solve(zm.Graph.from_edges([("a", "b"), ("b", "a")]), zm.Asymmetric()).verify()
    assert s.label.tolist() == [[LOSE, WIN], [LOSE, WIN]]
    assert (s.distance == NEVER).all()
    assert (s.winner == 1).all()


TABLE = {  # player 0 stuck, player 1 stuck, infinite play, as player 0 sees them: theory §2
    zm.NormalPlay: (-1, +1, 0),
    zm.Misere: (+1, -1, 0),
    zm.Asymmetric: (0, +1, -1),
    zm.G0: (-1, +1, -1),
    zm.G1: (-1, +1, +1),
    zm.H1: (+1, +1, -1),
}


@pytest.mark.parametrize("game", TABLE, ids=lambda game: game.keyword)
def test_rows_of_the_family(game):
    """A dead end and a loop show a game's row in the table."""
    g = zm.Graph.from_edges([(1, 1)], n=2)
    zero, one, infinite = TABLE[game]
    owned = [zm.solve(g.with_owner([e, e]), game()).verify() for e in (0, 1)]
    assert [s.value.tolist() for s in owned] == [[zero, infinite], [one, infinite]]
    s = zm.solve(g, game()).verify()
    if s.label.ndim == 2:
        assert s.value.tolist() == [[zero, one], [infinite, infinite]]
        assert s.label.tolist() == [[zero, -one], [infinite, -infinite]]
    else:
        assert zero == -one
        assert s.value.tolist() == s.label.tolist() == [zero, infinite]


def test_inverted_game():
    """Theory §2: val(S̄) = −val(S), read from one player, on any graph."""
    for g in games.all_digraphs(3):
        value, _ = oracles.solve(g, zm.NormalPlay())
        assert all(value[v, 1] == -value[v, 0] for v in range(g.n))


def test_explicit_labels_tie_and_draw():
    """Theory §2: a tie has the shortest way's length, a draw by infinite play has none.

    The tied terminal and the endless loop are worth the same, so nobody forces anything.
    """
    g = zm.Graph.from_edges(
        [("a", "b"), ("b", "tie"), ("a", "long"), ("long", "b"), ("b", "b"), ("c", "c")]
    )
    s = zm.solve(g, zm.TerminalPayoff({"tie": 0}, view="mover")).verify()
    assert s.label.tolist() == [DRAW] * 5
    assert {x: s[x].distance for x in g} == {"tie": 0, "b": 1, "a": 2, "long": 2, "c": NEVER}
    assert s.counts()["tie"] == 4
    assert s.counts()["draw"] == 1


def test_fast_win_slow_loss():
    """Theory §2: the winner takes the shortest way, the loser the longest."""
    chain = [(f"c{k}", f"c{k + 1}") for k in range(6)]  # c6 is a dead end, c5 wins, c4 loses
    g = zm.Graph.from_edges(
        [*chain, ("w", "c4"), ("w", "c2"), ("w", "c6"), ("l", "c5"), ("l", "c1"), ("l", "c3")]
    )
    s = zm.solve(g).verify()
    assert (s["w"].label, s["w"].distance, s["w"].best_moves) == (WIN, 1, ("c6",))
    assert (s["l"].label, s["l"].distance, s["l"].best_moves) == (LOSE, 6, ("c1",))


def test_the_loser_of_several_levels_keeps_the_value():
    """Holding out longer at a worse price is not best play: b pays 2 at once, not 3 later."""
    g = zm.Graph.from_edges(
        [("b", "two"), ("b", "on"), ("on", "further"), ("further", "three")],
        owner={"b": 1, "two": 0, "on": 0, "further": 0, "three": 0},
    )
    s = zm.solve(g, zm.TerminalPayoff({"two": 2, "three": 3})).verify()
    assert (s["b"].value, s["b"].distance, s["b"].best_moves) == (2, 1, ("two",))


# -------------------------------------------------------------------- tables


def rows():
    text = (GOLDEN / "loopy_impartial_digraphs.jsonl").read_text()
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("row", rows())
def test_loopy_impartial_digraphs(row):
    edges = [(v, w) for v, targets in enumerate(row["succ"]) for w in targets]
    g = zm.Graph.from_edges(edges, n=len(row["succ"]))
    numbers = {"N": WIN, "P": LOSE, "D": DRAW}
    for game, outcome, remoteness in (
        (zm.NormalPlay(), "normal", "remoteness"),
        (zm.Misere(), "misere", "misere_remoteness"),
    ):
        s = zm.solve(g, game).verify()
        assert s.label.tolist() == [numbers[x] for x in row[outcome]]
        assert s.distance.tolist() == [NEVER if d is None else d for d in row[remoteness]]
