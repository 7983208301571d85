"""Short inputs that once took for ever: an answer at once, or a sentence."""

from fractions import Fraction

import numpy as np
import pytest

import zermelo as zm
from zermelo.errors import InvalidObjectiveError, InvalidOptionError, LimitError, ZermeloError


def test_heaps_of_any_size_have_their_winning_moves():
    """A heap of Nim has one winning move or none, and it is known without looking at all moves."""
    s = zm.Sum([2**40, 5])
    assert [str(move) for move in s.winning_moves] == [f"0: {2**40} → 5 (WIN)"]
    assert s.best_move == s.winning_moves[0]
    assert s.after(s.best_move).outcome.name == "LOSE"
    assert zm.Sum([10**20]).winning_moves[0].to == 0
    for call in (s.moves, lambda: s.drawing_moves):
        with pytest.raises(LimitError, match="at most 100,000 are listed"):
            call()


@pytest.mark.parametrize("components", [[3, 5, 9], [1, 2, 3], [7], [0, 0], [4, 4, 9, 1]])
def test_the_short_cut_lists_what_all_moves_list(components):
    s = zm.Sum(components)
    assert s.winning_moves == tuple(x for x in s.moves() if x.label.name == "WIN")


def test_play_is_bounded():
    with pytest.raises(LimitError, match="give a limit"):
        zm.Sum([2**40, 2**40]).play()
    assert len(zm.Sum([50, 50]).play()) == 101


@pytest.mark.slow("1000.{2|1||0}")
@pytest.mark.parametrize("text", ["{0*1000000|0}", "1000.{2|1||0}", "10000000000.{2|1||0}"])
@pytest.mark.compiled
def test_texts_of_values_are_bounded(text):
    with pytest.raises(LimitError, match="this value"):
        zm.value(text)
    assert str(zm.value("{0|1}")) == "1/2"


@pytest.mark.parametrize("text", ["^<100000>", "v[100000]"])
def test_powers_of_up_are_bounded(text):
    with pytest.raises(ZermeloError, match="a power of at most 200"):
        zm.value(text)


@pytest.mark.slow
def test_options_of_heaps_are_bounded():
    assert len(zm.heap("kayles").options(10)) == 10
    with pytest.raises(LimitError, match="more than 1,000,000 options"):
        zm.heap("kayles").options(10**9)
    with pytest.raises(InvalidOptionError, match="size of a heap"):
        zm.heap("kayles").nim_sequence(10**12)


@pytest.mark.parametrize("position", ["x", "", b"ab", ["x"], [[1]], 1.0, None, [True], 2**40])
def test_positions_of_heap_games(position):
    for call in (zm.heap("kayles").options, zm.heap("kayles").grundy):
        if position in ("", []):
            continue
        with pytest.raises(InvalidOptionError, match="expected the size of a heap"):
            call(position)


@pytest.mark.parametrize("formula", ["!" * 10**5 + "a", "(" * 10**5, "<>" * 10**5 + "true"])
def test_formulas_are_not_too_deep(formula):
    with pytest.raises(ZermeloError, match="deeper than 100"):
        zm.evaluate(formula, zm.Graph.from_edges([(0, 1)]))


@pytest.mark.parametrize(
    "bounds",
    [
        (0, float("nan")),
        (float("inf"), None),
        ("0", 1),
        (0, 1j),
        (None, np.float64("nan")),
        ([], 1),
    ],
)
def test_bounds_of_simplest_numbers(bounds):
    with pytest.raises(InvalidOptionError):
        zm.simplest_number(*bounds)


def test_numbers_of_numpy_serve():
    assert zm.simplest_number(np.int8(0), np.float64(0.5)) == Fraction(1, 4)
    s = zm.solve(
        zm.Graph.from_edges([(0, 1)]), zm.TerminalPayoff(np.array([0, 0.1], np.longdouble))
    )
    assert s.value[1, 0] > 0
    assert zm.Graph.from_edges(np.array([[0, 1]], np.uint64)).m == 1
    with pytest.raises(ZermeloError, match="masked"):
        zm.Graph.from_edges(np.ma.masked_array([[0, 1]], [[0, 1]]))


@pytest.mark.parametrize(
    "options", [{"solver": 5}, {"solver": []}, {"passes": [5]}, {"nodes": "a"}]
)
def test_options_of_solve(options):
    with pytest.raises(ZermeloError):
        zm.solve(zm.Graph.from_edges([(0, 1)]), **options)


@pytest.mark.parametrize("payoff", ["1e999999999", "nan", "inf", "", "1/0", float("nan"), 1j])
def test_payoffs_that_are_no_numbers(payoff):
    with pytest.raises(InvalidObjectiveError):
        zm.solve(zm.Graph.from_edges([(0, 1)]), zm.TerminalPayoff({1: payoff}))


@pytest.mark.parametrize(
    "name", ["random_graph", "path", "cycle", "star", "complete", "random_tree"]
)
def test_sizes_of_generators_are_python_integers(name):
    """One more than the largest number of a small type is no small number."""
    size = {"complete": np.int8(127), "tree": np.uint8(3)}.get(name, np.uint8(255))
    graph = getattr(zm.generators, name)(size)
    assert graph == getattr(zm.generators, name)(int(size))
    assert graph.graph.n >= int(size)
