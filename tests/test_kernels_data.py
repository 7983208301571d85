"""Parameters of rules that machine code reads from memory: games share code, never values."""

import os
import subprocess
import sys

import numpy as np
import pytest

from zermelo._runtime import progress
from zermelo._runtime.compiled import store
from zermelo._runtime.compiled.bind import bind, identity, placeholder
from zermelo._runtime.compiled.jit import Kernel, kernel
from zermelo.errors import InvalidRulesError

moves = placeholder("moves")


@kernel
def total_of_moves(position, out):
    total = 0
    for k in range(moves(position, out)):
        total = 100 * total + out[k]
    return total


total_of_moves.function.__module__ = "zermelo._kernels.data_test"  # so that it is kept


class Steps:
    """A move adds a step."""

    as_data = ("steps", "by", "most_moves")

    def __init__(self, by, *steps):
        self.by, self.steps, self.most_moves = by, np.array(steps, np.int64), len(steps)

    def moves(self, position, out):
        for k in range(len(self.steps)):
            out[k] = position + self.by * self.steps[k]
        return len(self.steps)


class Last(Steps):
    """A move adds the last step."""

    def moves(self, position, out):
        out[0] = position + self.steps[-1]
        return 1


class Beyond(Steps):
    """The rules read more steps than there are."""

    def moves(self, position, out):
        out[0] = position + self.steps[position]
        return 1


@pytest.fixture
def cache(monkeypatch, tmp_path):
    monkeypatch.delenv("NUMBA_BOUNDSCHECK", raising=False)
    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(tmp_path))
    store.cache_directory.cache_clear()
    yield tmp_path / "kernels"
    monkeypatch.undo()
    store.cache_directory.cache_clear()


def total(rules, position):
    bound = bind(total_of_moves, rules)
    assert isinstance(bound, Kernel)
    return bound.compiled(position, np.zeros(9, np.int64))


def test_interpreted_rules_have_their_values():
    for rules, expected in ((Steps(1, 2, 3), 304), (Steps(2, 1), 3), (Last(1, 2, 5), 6)):
        assert bind(total_of_moves, rules)._on_lists((1, np.zeros(9, np.int64))) == expected


@pytest.mark.slow
@pytest.mark.compiled
def test_two_games_share_one_file_and_have_their_own_values(cache):
    first, second = Steps(1, 2, 3), Steps(10, 4, 5, 6)
    assert total(first, 1) == 304
    before = len(progress.waits)
    assert total(second, 1) == 415161
    assert total(first, 2) == 405
    assert len(progress.waits) == before
    assert len(list(cache.glob("*.o"))) == 1


@pytest.mark.slow
@pytest.mark.compiled
def test_parameters_that_change_are_seen(cache):
    rules = Steps(1, 2)
    assert total(rules, 1) == 3
    rules.by, rules.steps = 3, np.array([7], np.int64)
    assert total(rules, 1) == 22


@pytest.mark.slow
@pytest.mark.compiled
def test_types_of_values_are_part_of_the_code(cache):
    rules, narrow = Steps(1, 2, 3), Steps(1, 2, 3)
    narrow.steps = narrow.steps.astype(np.int8)
    assert total(rules, 1) == total(narrow, 1) == 304
    assert len(list(cache.glob("*.o"))) == 2


@pytest.mark.slow
@pytest.mark.compiled
def test_rules_of_a_user_keep_the_meaning_of_indices(cache):
    assert total(Last(1, 2, 5), 1) == 6
    assert total(Beyond(1, 2, 5), 1) == 6
    with pytest.raises(InvalidRulesError, match="IndexError"):
        total(Beyond(1, 2, 5), 2)


@pytest.mark.slow
@pytest.mark.compiled
def test_limits_are_those_of_the_game(cache):
    sound, wrong = Steps(1, 2, 3), Steps(1, 2, 3)
    wrong.most_moves = 1
    assert total(sound, 1) == 304
    with pytest.raises(InvalidRulesError, match="most_moves is 1"):
        total(wrong, 1)


def test_what_rules_are_known_by_has_the_values():
    assert identity(Steps(1, 2), "moves") == identity(Steps(1, 2), "moves")
    assert identity(Steps(1, 2), "moves") != identity(Steps(1, 3), "moves")
    assert identity(Steps(1, 2), "moves") != identity(Steps(2, 2), "moves")


def test_endgames_of_chess_are_one_code_with_pawns_and_one_without():
    import zermelo as zm
    from zermelo._kernels.tables.begin import begin
    from zermelo.tables.storage.entries import view_of

    keys = {
        men: bind(begin, view_of(zm.game(f"chess:{men}"), symmetry=True))._key("")
        for men in ("KRvK", "KQvKR", "KBNvK", "KPvK", "KRvKP")
    }
    assert keys["KRvK"] == keys["KQvKR"] == keys["KBNvK"]
    assert keys["KPvK"] == keys["KRvKP"] != keys["KRvK"]


@pytest.mark.parametrize(
    "games",
    [
        ("connect4:5x4", "connect4:4x5", "connect3:3x3"),
        ("dodgem:3", "dodgem:4"),
        ("chinese-checkers:3x1", "chinese-checkers:4x2"),
        ("teeko", "teeko:advanced"),
    ],
)
def test_sizes_of_a_board_game_are_one_code(games):
    import zermelo as zm
    from zermelo._kernels.tables.begin import begin
    from zermelo.tables.probing.access import rules_digest
    from zermelo.tables.storage.entries import view_of

    rules = [zm.game(game) for game in games]
    keys = {bind(begin, view_of(x, symmetry=x.has("canonical")))._key("") for x in rules}
    assert len(keys) == 1
    assert len({rules_digest(x) for x in rules}) == len(games)


LARGE = """
import sys
import numpy as np
from zermelo._runtime.compiled.bind import bind, placeholder
from zermelo._runtime.compiled.jit import kernel

moves = placeholder("moves")

@kernel
def first_move(position, out):
    moves(position, out)
    return out[0]

first_move.function.__module__ = "zermelo._kernels.data_test"

class Large:
    most_moves = 1

    def __init__(self):
        self.large = 3 * np.arange(200_000)

    def moves(self, position, out):
        out[0] = self.large[position]
        return 1

room = [bytearray(1 << 22) for _ in range(int(sys.argv[1]))]  # so that addresses differ
print(bind(first_move, Large()).compiled(1000, np.zeros(1, np.int64)))
"""


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.unchecked
def test_code_that_is_kept_has_no_addresses_of_large_arrays(tmp_path):
    script = tmp_path / "large.py"
    script.write_text(LARGE)
    environment = {**os.environ, "ZERMELO_CACHE_DIR": str(tmp_path), "NUMBA_BOUNDSCHECK": "0"}
    for k in ("0", "5"):
        done = subprocess.run(
            [sys.executable, script, k], env=environment, capture_output=True, text=True
        )
        assert (done.returncode, done.stdout) == (0, "3000\n"), done.stderr
    assert len(list((tmp_path / "kernels").glob("*.o"))) == 1
