"""Solution, Answer and Line: their content for each player, and what they refuse."""

import dataclasses
import pickle
from fractions import Fraction

import numpy as np
import pytest

import zermelo as zm
from zermelo.errors import (
    InvalidGraphError,
    InvalidObjectiveError,
    InvalidOptionError,
    SolverError,
    UnknownNameError,
    UnknownPositionError,
)

EDGES = [("a", "b"), ("b", "a"), ("a", "t"), ("d", "d"), ("d", "a")]
OWNER = {"a": 0, "b": 1, "t": 1, "d": 1}


def alternating():
    return zm.Graph.from_edges(EDGES)


def owned():
    return zm.Graph.from_edges(EDGES, owner=OWNER)


# -------------------------------------------------------------------- arrays


def test_symmetric_games_have_one_entry_a_position():
    s = zm.solve(alternating())
    assert s.label.tolist() == [1, -1, -1, 0]
    assert s.distance.tolist() == [1, 2, 0, zm.NO_DISTANCE]
    assert s.move.tolist() == [2, 0, zm.NO_MOVE, 3]
    assert s.value.tolist() == [1, -1, -1, 0]


def test_other_alternating_games_have_an_entry_for_each_player_to_move():
    s = zm.solve(alternating(), zm.G1())
    assert s.label.shape == s.distance.shape == s.move.shape == s.value.shape == (4, 2)
    assert s.label.tolist() == [[1, 1], [-1, -1], [-1, -1], [1, -1]]
    assert s.value.tolist() == [[1, -1], [-1, 1], [-1, 1], [1, 1]]
    assert s.distance.tolist() == [[1, 1], [2, 2], [0, 0], [3, 2]]


def test_owned_games_have_one_entry_a_position():
    s = zm.solve(owned())
    assert s.label.tolist() == [1, -1, -1, 0]
    assert s.value.tolist() == [1, 1, 1, 0]
    assert s.winner.tolist() == [0, 0, 0, zm.NO_WINNER]


def test_winner_is_absolute():
    g = alternating()
    normal = zm.solve(g)
    assert normal.winner.dtype == np.int8
    assert not normal.winner.flags.writeable
    assert normal.winner.tolist() == [[0, 1], [1, 0], [1, 0], [-1, -1]]
    g1 = zm.solve(g, zm.G1())
    assert g1.winner.tolist() == [[0, 1], [1, 0], [1, 0], [0, 0]]
    h1 = zm.solve(g, zm.H1())
    assert h1.winner.tolist() == [[0, 1], [1, 0], [0, 0], [1, 1]]


def test_results_never_change():
    s = zm.solve(alternating())
    for array in (s.level, s.label, s.distance, s.move, s.winner):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(dataclasses.FrozenInstanceError):
        s.label = s.distance
    with pytest.raises(dataclasses.FrozenInstanceError):
        s["a"].distance = 3


@pytest.mark.parametrize(
    ("payoffs", "infinite", "dtype"),
    [
        ({"x": 3, "y": -5}, 0, np.int64),
        ({"x": 1.5, "y": -2.0}, 0.5, np.float64),
        ({"x": Fraction(1, 3), "y": -1}, 0, object),
        ({"x": 0.5, "y": 1}, 0, object),
        ({"x": 2**70, "y": 1}, 0, object),
    ],
)
def test_value_types_are_exact(payoffs, infinite, dtype):
    g = zm.Graph.from_edges([("a", "x"), ("b", "y"), ("c", "c")], owner=[0] * 5)
    s = zm.solve(g, zm.TerminalPayoff(payoffs, infinite)).verify()
    assert s.value.dtype == dtype
    assert {x: s.value[g.index(x)] for x in "xyabc"} == {
        **payoffs, "a": payoffs["x"], "b": payoffs["y"], "c": infinite,
    }  # fmt: skip
    assert s["a"].value == payoffs["x"]
    assert type(s["a"].value) is type(payoffs["x"])


def test_labels_are_signs_as_the_mover_sees_them():
    g = zm.Graph.from_edges([(0, 0)], n=4, owner=[1, 0, 1, 1])
    s = zm.solve(g, zm.TerminalPayoff([None, -7, -7, 0], infinite=Fraction(1, 9))).verify()
    assert s.label.tolist() == [-1, -1, 1, 0]
    assert s.winner.tolist() == [0, 1, 1, -1]


def test_payoffs_in_the_movers_view():
    g = zm.Graph.from_edges([("a", "x"), ("a", "y"), ("b", "x")])
    s = zm.solve(g, zm.TerminalPayoff({"x": 5, "y": -2}, view="mover")).verify()
    assert s.value.tolist() == [2, 5, -2, -5]
    assert s.label.tolist() == [1, 1, -1, -1]
    with_owners = g.with_owner([0, 0, 1, 1])
    s = zm.solve(with_owners, zm.TerminalPayoff({"x": 5, "y": -2}, view="mover")).verify()
    assert s.value.tolist() == [5, 5, 2, 5]


@pytest.mark.parametrize(
    "payoffs",
    [
        np.array([2**63 + 1, 2**63 + 2], np.uint64),
        np.array([-(2**63), 2**63 - 1], np.int64),
        np.array([2**53 + 1, 2**53], np.int64),
        np.array([1, 200], np.uint8),
        np.array([-0.5, 1e308]),
        [Fraction(1, 3), 2**70],
    ],
    ids=str,
)
def test_the_largest_payoffs_are_exact(payoffs):
    """Turning a payoff round must not overflow or round: it would turn the winner round."""
    g = zm.Graph.from_edges([], n=2)
    exact = list(payoffs) if isinstance(payoffs, list) else payoffs.tolist()
    signs = [1 if x > 0 else -1 for x in exact]
    by_mover = zm.TerminalPayoff(payoffs, view="mover")
    assert zm.solve(g, by_mover).verify().value.tolist() == exact
    for owner in (0, 1):
        s = zm.solve(g.with_owner([owner, owner]), by_mover).verify()
        assert s.value.tolist() == ([-x for x in exact] if owner else exact)
        assert s.label.tolist() == signs
    s = zm.solve(g, zm.TerminalPayoff(payoffs, infinite=0.25)).verify()
    assert s.value.tolist() == [[x, x] for x in exact]
    assert s.label.tolist() == [[x, -x] for x in signs]


@pytest.mark.parametrize("make", [dict, lambda d: d.get, lambda d: [d.get(x) for x in "axy"]])
def test_payoffs_by_mapping_function_or_sequence(make):
    g = zm.Graph.from_edges([("a", "x"), ("a", "y")])
    s = zm.solve(g, zm.TerminalPayoff(make({"x": (1, 2), "y": (3, 4)}))).verify()
    assert s.value.tolist() == [[4, 1], [1, 2], [3, 4]]


# -------------------------------------------------------------------- one position


def test_answer():
    s = zm.solve(alternating())
    answer = s["b"]
    assert answer == zm.Answer("b", None, zm.Label.LOSE, 2, -1, ("a",))
    assert answer.move == "a"
    assert str(answer) == "b: LOSE in 2 by a"
    assert s["t"].best_moves == ()
    assert s["t"].move is None
    assert str(s["t"]) == "t: LOSE in 0"
    assert str(s["d"]) == "d: DRAW by d"
    assert isinstance(s["a"].label, zm.Label)
    assert type(s["a"].distance) is int


def test_positions_by_number():
    s = zm.solve(alternating())
    assert s[1] == s["b"]
    assert zm.solve(zm.Graph.from_edges([(0, 1)]))[np.int64(0)].best_moves == (1,)


def test_all_equally_good_moves_are_listed():
    g = zm.Graph.from_edges([("a", "x"), ("a", "y"), ("a", "b"), ("b", "x")])
    s = zm.solve(g)
    assert s["a"].best_moves == ("x", "y")
    assert str(s["a"]) == "a: WIN in 1 by x, y"


def test_at_takes_the_player_to_move():
    s = zm.solve(alternating(), zm.Asymmetric())
    assert s["t"] == s.at("t") == s.at("t", player=0)
    assert (s.at("t").player, s.at("t").label) == (zm.Player.ZERO, zm.Label.DRAW)
    assert (s.at("t", player=1).player, s.at("t", 1).label) == (zm.Player.ONE, zm.Label.LOSE)
    assert str(s.at("a", 1)) == "a, player 1 to move: WIN by b"
    assert zm.solve(alternating()).at("a", player=1).player is zm.Player.ONE
    assert zm.solve(owned())["b"].player is zm.Player.ONE
    assert str(zm.solve(owned())["b"]) == "b, player 1 to move: LOSE in 2 by a"


@pytest.mark.parametrize("player", [2, -1, "white"])
def test_there_are_two_players(player):
    for graph, game in ((alternating(), zm.NormalPlay()), (alternating(), zm.G0()),
                        (owned(), zm.NormalPlay())):  # fmt: skip
        s = zm.solve(graph, game)
        with pytest.raises(InvalidOptionError, match="player: expected 0 or 1, got"):
            s.at("a", player)
        with pytest.raises(InvalidOptionError, match="player: expected 0 or 1, got"):
            s.line("a", player)


def test_unknown_positions():
    s = zm.solve(alternating())
    with pytest.raises(UnknownPositionError, match="no position is called 'z'"):
        s["z"]
    with pytest.raises(UnknownPositionError, match="expected a position 0 … 3, got 4"):
        s.line(4)
    with pytest.raises(LookupError):
        s.at("z", 1)


# -------------------------------------------------------------------- lines


def test_line_to_an_end():
    line = zm.solve(alternating()).line("b")
    assert line == ["b", "a", "t"]
    assert line.cycle is None
    assert str(line) == "b → a → t"
    assert isinstance(line, list)
    assert zm.solve(alternating()).line("t") == ["t"]


def test_line_that_repeats():
    line = zm.solve(alternating()).line("d")
    assert line == ["d", "d"]
    assert line.cycle == 0
    assert str(line) == "d → d → …"
    g = zm.Graph.from_edges([("x", "y"), ("y", "z"), ("z", "y")])
    line = zm.solve(g).line("x")
    assert line == ["x", "y", "z", "y"]
    assert line.cycle == 1


def test_line_with_a_player_and_a_limit():
    s = zm.solve(zm.Graph.from_edges([("a", "b"), ("b", "c"), ("c", "a")]), zm.Asymmetric())
    line = s.line("a", player=1)
    assert line == ["a", "b", "c", "a", "b", "c", "a"]  # the same player to move after six plies
    assert line.cycle == 0
    short = s.line("a", limit=2)
    assert short == ["a", "b", "c"]
    assert short.cycle is None
    assert s.line("a", limit=0) == ["a"]


def test_lines_differ_by_who_begins():
    g = zm.Graph.from_edges([("a", "t"), ("a", "l"), ("l", "l")])
    s = zm.solve(g, zm.Asymmetric())
    assert s.line("a") == ["a", "t"]
    assert s.line("a", player=1) == ["a", "l", "l", "l"]


def test_targets_end_a_line():
    g = zm.Graph.from_edges([(0, 1), (1, 2), (2, 0)], owner=[0, 1, 0])
    s = zm.solve(g, zm.Reach([2]))
    assert s.line(0) == [0, 1, 2]
    assert s[2].best_moves == ()
    assert s.move.tolist() == [1, 2, zm.NO_MOVE]


# -------------------------------------------------------------------- summary


def test_counts_and_repr():
    s = zm.solve(alternating())
    assert s.counts() == {
        "positions": 4, "win": 1, "lose": 2, "tie": 0, "draw": 1,
        "longest_win": 1, "longest_lose": 2,
    }  # fmt: skip
    assert repr(s) == "Solution(normal by retrograde: 1 win, 2 lose, 1 draw)"
    tie = zm.solve(zm.Graph.from_edges([(0, 1), (2, 2)]), zm.TerminalPayoff([0, 0, 0]))
    assert tie.counts()["tie"] == 4
    assert tie.counts()["draw"] == 2
    assert tie.counts()["longest_win"] == zm.NO_DISTANCE


def test_empty_graph():
    s = zm.solve(zm.Graph.from_edges([])).verify()
    assert repr(s) == "Solution(normal by retrograde: empty)"
    assert s.counts()["positions"] == 0
    assert s.value.shape == s.move.shape == (0,)
    assert s.winner.shape == (0, 2)


def test_verify_returns_the_solution():
    s = zm.solve(alternating())
    assert s.verify() is s


def test_start_is_remembered():
    g = alternating()
    assert zm.solve(g).start is None
    s = zm.solve(g, start="b").verify()
    assert s.start == 1
    assert s.label.tolist() == zm.solve(g).label.tolist()
    with pytest.raises(UnknownPositionError, match="no position is called 'z'"):
        zm.solve(g, start="z")


def test_pickle():
    s = zm.solve(owned(), zm.Reach(["t"]))
    assert s.move.size == 4  # computed when asked for, and kept
    again = pickle.loads(pickle.dumps(s)).verify()
    assert again.graph == s.graph
    assert again.distance.tolist() == s.distance.tolist()
    for array in (again.label, again.level, again.distance, again.move, again.graph.indices):
        assert not array.flags.writeable


# -------------------------------------------------------------------- what solve refuses


def test_solve_wants_a_graph_and_an_objective():
    with pytest.raises(InvalidGraphError, match="expected a Graph or a Game, got list"):
        zm.solve([(0, 1)])
    with pytest.raises(InvalidObjectiveError, match="expected an objective, got 'normal'"):
        zm.solve(alternating(), "normal")
    with pytest.raises(InvalidObjectiveError, match="expected an objective"):
        zm.solve(alternating(), zm.NormalPlay)


def test_solvers_by_name():
    g = alternating()
    assert zm.solve(g, solver="retrograde").solver == "retrograde"
    with pytest.raises(UnknownNameError, match="did you mean 'retrograde'"):
        zm.solve(g, solver="retrogade")
    with pytest.raises(SolverError, match=r"'nmfl' does not solve 'normal' games; these do: retro"):
        zm.solve(g, solver="nmfl")


@pytest.mark.parametrize(
    ("objective", "message"),
    [
        (zm.TerminalPayoff({}), "terminal 't' has no payoff"),
        (
            zm.TerminalPayoff({"t": 1, "a": 2}),
            "payoff of 'a': expected a terminal, but it has moves",
        ),
        (zm.TerminalPayoff({"t": "much"}), "payoff of 't': expected a number, got 'much'"),
        (zm.TerminalPayoff({"t": float("nan")}), "'t': expected a finite number, got nan"),
        (zm.TerminalPayoff({"t": (1, 2, 3)}), "payoff of 't': expected one or two numbers"),
        (zm.TerminalPayoff([1, 2]), "payoffs: expected 4 entries"),
        (zm.TerminalPayoff({"t": 1}, view="white"), "view: expected 'player0' or 'mover'"),
        (zm.TerminalPayoff({"t": 1}, infinite=1, view="mover"), "expected infinite=0"),
        (zm.TerminalPayoff({"t": (1, 2)}, view="mover"), "expected one payoff for each terminal"),
        (zm.TerminalPayoff({"t": 1}, infinite=None), "expected a finite number, got None"),
    ],
)
def test_payoffs_that_make_no_sense(objective, message):
    with pytest.raises(InvalidObjectiveError) as caught:
        zm.solve(alternating(), objective)
    assert message in str(caught.value)


def test_sets_that_make_no_sense():
    with pytest.raises(UnknownPositionError, match="no position is called 'z'"):
        zm.solve(owned(), zm.Reach(["z"]))
    with pytest.raises(InvalidObjectiveError, match="player: expected 0 or 1, got 2"):
        zm.Safety(["a"], player=2)
    with pytest.raises(InvalidGraphError, match="expected a collection of positions"):
        zm.solve(owned(), zm.Reach("a"))


@pytest.mark.parametrize("name", ["ZERMELO_KERNELS", "ZERMELO_THREADS"])
def test_switches_that_make_no_sense(monkeypatch, name):
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    monkeypatch.setenv(name, "bogus")
    with pytest.raises(InvalidOptionError, match=f"{name}: expected .*, got 'bogus'"):
        zm.solve(zm.Graph.from_edges([(0, 1)]))


def test_only_terminal_games_are_solved_by_quotients():
    g = zm.Graph.from_edges([(0, 0)], owner=[0])
    with pytest.raises(SolverError, match="has no option 'quotient'; its option is passes"):
        zm.solve(g, zm.Parity([0]), quotient=True)


def test_situations_are_counted_in_32_bits():
    from zermelo.objectives.terminal_form import MAX_DOUBLED, doubled

    with pytest.raises(InvalidObjectiveError, match="at most 1,073,741,823 positions"):
        doubled(np.array([0], np.int32), MAX_DOUBLED + 1)


def test_owners_move_where_they_own():
    s = zm.solve(zm.Graph.from_edges([("a", "b")], owner=[1, 0]))
    assert s.at("a", player=1) == s["a"]
    with pytest.raises(InvalidOptionError, match="player 0 never moves at 'a'"):
        s.at("a", player=0)
    assert s.line("a") == ["a", "b"]
