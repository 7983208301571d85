"""Rules that are wrong are refused, by the member and the position, and never harm the process."""

import itertools
import os
import re
import signal
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from tests import interrupts
from tests.limits import HANG

import zermelo as zm
from zermelo._runtime.compiled.bind import bind
from zermelo.errors import InvalidRulesError
from zermelo.rules.boards.rows.tictactoe import TicTacToe
from zermelo.rules.compiled import CompiledRules
from zermelo.tables.solving.solve import solve_rules
from zermelo.verify.rules import sampling

LAST = 2**63 - 1


class Ring(CompiledRules):
    """Go 1 or 2 on, on a ring of 50 places; place 17 is where subclasses go wrong."""

    most_moves = most_unmoves = 2
    size = 50
    table = np.arange(50)

    def start(self):
        return 0

    def moves(self, position, out):
        out[0] = (position + 1) % 50
        out[1] = (position + 2) % 50
        return 2

    def unmoves(self, position, out):
        out[0] = (position + 49) % 50
        out[1] = (position + 48) % 50
        return 2

    def rank(self, position):
        return position

    def unrank(self, index):
        return index


class Astray(Ring):
    def unmoves_by_index(self, index, out):
        out[0] = (index + 49) % 50
        out[1] = 50 if index == 17 else (index + 48) % 50
        return 2


class Overfull(Ring):
    def moves(self, position, out):
        count = 900 if position == 17 else 2
        for k in range(count):
            out[k] = (position + 1 + k) % 50
        return count


class FarBeyond(Ring):
    def moves(self, position, out):
        if position == 17:
            out[10_000_000] = 3
        out[0] = (position + 1) % 50
        return 1


class FarBefore(Ring):
    def moves(self, position, out):
        if position == 17:
            out[-3] = 3
        out[0] = (position + 1) % 50
        return 1


class TooMany(Ring):
    def moves(self, position, out):
        out[0] = (position + 1) % 50
        return 5 if position == 17 else 1


class FewerThanNone(Ring):
    def moves(self, position, out):
        out[0] = (position + 1) % 50
        return -1 if position == 17 else 1


class Negative(Ring):
    def moves(self, position, out):
        out[0] = -4 if position == 17 else (position + 1) % 50
        return 1


class TableTooShort(Ring):
    def moves(self, position, out):
        out[0] = self.table[position + 33 * (position == 17)] + 1
        out[0] = out[0] % 50
        return 1


class ByNought(Ring):
    def moves(self, position, out):
        out[0] = (position + 1 // (position - 17)) % 50
        out[1] = (position + 1) % 50
        return 2


class Outcome(Ring):
    def outcome(self, position):
        return 7 if position == 17 else 2


class RankHigh(Ring):
    def rank(self, position):
        return 50 if position == 17 else position


class RankLow(Ring):
    def rank(self, position):
        return -1 if position == 17 else position


class UnrankNone(Ring):
    def unrank(self, index):
        return -1 if index == 17 else index


class Tier(Ring):
    def tier(self, position):
        return 4096 if position == 17 else 0


class TierLow(Ring):
    def tier(self, position):
        return -1 if position == 17 else 0


class Player(Ring):
    def player(self, position):
        return 2 if position == 17 else 0


class Unmoves(Ring):
    def unmoves(self, position, out):
        for k in range(800):
            out[k % 2 if position != 17 else k] = (position + 48 + k % 2) % 50
        return 2


class UnmovesMany(Ring):
    def outcome(self, position):
        return -1 if position == 17 else 2

    def unmoves(self, position, out):
        out[0] = (position + 49) % 50
        out[1] = (position + 48) % 50
        return 3 if position == 17 else 2


class Canonical(Ring):
    size = 0

    def canonical(self, position):
        return -9 if position == 17 else position


class CanonicalLast(Ring):
    size = 0

    def canonical(self, position):
        return LAST if position == 17 else position


class Orbit(Ring):
    def canonical(self, position):
        return position

    def orbit(self, position):
        return -5 if position == 17 else 1


def named(x):
    return x.__name__ if isinstance(x, type) else ""


WRONG = [
    (Overfull, "moves", r"moves\(17\) gave 900 moves; most_moves is 2"),
    (FarBeyond, "moves", r"moves\(17\) writes to out\[10000000\]; most_moves is 2"),
    (FarBefore, "moves", r"moves\(17\) writes to out\[-1\]; most_moves is 2"),
    (TooMany, "moves", r"moves\(17\) gave 5 moves; most_moves is 2"),
    (FewerThanNone, "moves", r"moves\(17\) gave -1 moves; most_moves is 2"),
    (Negative, "moves", r"moves\(17\) gave -4; expected positions from 0"),
    (TableTooShort, "moves", r"moves\(17\) fails with IndexError"),
    (ByNought, "moves", r"moves\(17\) fails with ZeroDivisionError"),
    (Outcome, "outcome", r"outcome\(17\) gave 7; expected −1, 0, 1 or OPEN"),
    (RankHigh, "rank", r"rank\(17\) gave 50; expected an index from 0 to size − 1"),
    (RankLow, "rank", r"rank\(17\) gave -1; expected an index"),
    (UnrankNone, None, r"a position has the index 17, but unrank\(17\) gave none"),
    (Tier, "tier", r"tier\(17\) gave 4096; expected a tier from 0 to 4095"),
    (TierLow, "tier", r"tier\(17\) gave -1; expected a tier"),
    (Player, "player", r"player\(17\) gave 2; expected 0 or 1"),
    (Unmoves, "unmoves", r"unmoves\(17\) writes to out\[2\]; most_unmoves is 2"),
    (Astray, "unmoves_by_index", r"unmoves_by_index\(17\) gave 50; expected an index from 0 to"),
    (UnmovesMany, "unmoves", r"unmoves\(17\) gave 3 positions; most_unmoves is 2"),
    (Canonical, "canonical", r"canonical\(17\) gave -9; expected a position"),
    (CanonicalLast, "canonical", r"canonical\(17\) gave 9223372036854775807; expected a position"),
    (Orbit, "orbit", r"orbit\(17\) gave -5; expected a number from 0 on"),
]


@pytest.mark.parametrize(("kind", "member", "message"), WRONG, ids=named)
def test_solving_names_the_member_and_the_position(kind, member, message, tmp_path):
    rules = kind()
    if member in ("unmoves", "unmoves_by_index", "player"):  # asked for where something is decided
        rules = type(kind.__name__, (kind,), {"outcome": Ending.outcome})()
    with pytest.raises(InvalidRulesError, match=f"{kind.__name__}: {message}"):
        solve_rules(rules).counts()
    with pytest.raises(InvalidRulesError, match=message):
        zm.build(rules, tmp_path / "t.zt", check=False)
    assert not list(tmp_path.iterdir())


class Ending:
    def outcome(self, position):
        return -1 if position in (17, 19) else 2


@pytest.mark.slow(example="Orbit--")
@pytest.mark.compiled
@pytest.mark.parametrize(
    ("kind", "member", "message"),
    [x for x in WRONG if x[1]],
    ids=named,
)
def test_machine_code_finds_the_same(kind, member, message):
    rules, values = kind(), np.arange(50)
    filling = member in ("moves", "unmoves", "unmoves_by_index")
    made = np.zeros(50 * (3 if filling else 1), np.int64)
    job = bind(sampling.template_of(member, filling=filling), rules)
    with pytest.raises(InvalidRulesError, match=message):
        job.compiled(values, *([np.zeros(2, np.int64)] if filling else []), made)


@pytest.mark.parametrize("symmetry", [False, True])
@pytest.mark.parametrize("kind", [Overfull, Negative, Canonical, CanonicalLast])
def test_exploring_names_the_member_and_the_position(kind, symmetry):
    if kind in (Canonical, CanonicalLast) and not symmetry:
        assert zm.explore(kind()) is not None
        return
    with pytest.raises(InvalidRulesError, match=r"\(17\) gave"):
        zm.explore(kind(), symmetry=symmetry)


def test_rules_of_the_package_need_no_checks_of_indices_and_derived_ones_do():
    class Mine(TicTacToe):
        """Somebody's."""

    from zermelo._runtime.compiled.bind import flat

    assert not flat(TicTacToe(), "moves").bounds_checked
    assert flat(Mine(), "moves").bounds_checked
    assert flat(Ring(), "moves").bounds_checked


@pytest.mark.parametrize("most", [-1, 1.5, None, "4", True, 10**30])
def test_the_room_is_a_number(most, tmp_path):
    rules = type("Roomy", (Ring,), {"most_moves": most, "__module__": __name__})()
    for job in (zm.explore, solve_rules, lambda x: zm.build(x, tmp_path / "t.zt")):
        with pytest.raises(InvalidRulesError, match="most_moves: expected an integer"):
            job(rules)


@pytest.mark.parametrize("size", [-1, 1.5, None, "4", True])
def test_the_size_is_a_number(size, tmp_path):
    rules = type("Sized", (Ring,), {"size": size, "__module__": __name__})()
    with pytest.raises(InvalidRulesError, match="size: expected an integer"):
        zm.build(rules, tmp_path / "t.zt")


@pytest.mark.parametrize("start", [-1, LAST, 1.5, None, True, "0"])
def test_the_start_is_a_position(start):
    rules = type("Late", (Ring,), {"start": lambda self: start, "__module__": __name__})()
    for job in (zm.explore, solve_rules):
        with pytest.raises(InvalidRulesError, match=r"expected an? (position|integer)"):
            job(rules)


class Edge(CompiledRules):
    """Two positions: the largest there may be, and one that subclasses move to."""

    most_moves = 1
    to = 0

    def start(self):
        return LAST - 1

    def moves(self, position, out):
        out[0] = self.to
        return 1 if position == LAST - 1 else 0


class OverTheEdge(Edge):
    to = LAST


def test_positions_go_up_to_the_largest_and_not_further(tmp_path):
    assert zm.explore(Edge()).graph.n == 2
    with zm.build(Edge(), tmp_path / "t.zt") as table:
        assert table.probe(LAST - 1).outcome == "win"
        assert table.verify().verified == 2
    for job in (zm.explore, solve_rules):
        with pytest.raises(InvalidRulesError, match=rf"OverTheEdge: a move leads to {LAST};"):
            job(OverTheEdge())


WIDE = """
from zermelo import CompiledRules

class Wide(CompiledRules):
    size = 200_000
    most_moves = 4

    def start(self):
        return 0

    def moves(self, position, out):
        if position % 50_000 == 49_999:
            for k in range(900):
                out[k] = k
            return 900
        out[0] = (position * 7 + 3) % self.size
        out[1] = (position + 1) % self.size
        return 2

    def rank(self, position):
        return position

    def unrank(self, index):
        return index
"""


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("threads", ["1", "2"])
def test_a_rules_file_cannot_end_the_process(tmp_path, threads):
    (tmp_path / "wide.py").write_text(WIDE)
    command = [sys.executable, "-m", "zermelo", "build", "wide.py", "-o", "wide.zt", "--no-check"]
    switches = {"ZERMELO_KERNELS": "compile", "ZERMELO_THREADS": threads}
    done = subprocess.run(
        command, cwd=tmp_path, env=os.environ | switches, capture_output=True, text=True
    )
    assert done.returncode == 2, done.stderr
    assert "9999) gave 900 moves; most_moves is 4" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "wide.zt").exists()


UNSTEADY = """
from zermelo import CompiledRules

class Unsteady(CompiledRules):
    most_moves = 200

    def start(self):
        return 1

    def moves(self, position, out):
        if position >= 30_000:
            return 0
        out[0] = position * 2
        if position > 10_000 and position % 3 == 1:
            return 200
        out[1] = position * 2 + 1
        out[2] = position ^ 1
        for k in range(3, 200):
            out[k] = 1_000_000 + position * 200 + k
        return 3
"""


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("threads", ["1", "2"])
def test_moves_that_are_others_each_time_cannot_end_the_process(tmp_path, threads):
    """Some positions have 199 moves that ``moves`` leaves as it finds them."""
    (tmp_path / "unsteady.py").write_text(UNSTEADY)
    command = [sys.executable, "-m", "zermelo", "build", "--no-check", "unsteady.py", "-o", "t.zt"]
    switches = {"ZERMELO_KERNELS": "compile", "ZERMELO_THREADS": threads}
    for _ in range(3):
        done = subprocess.run(
            command, cwd=tmp_path, env=os.environ | switches, capture_output=True, text=True
        )
        assert done.returncode == 2, done.stderr
        assert re.search(r"moves\(\d+\) gave 200 moves, but did not write to out\[1\]", done.stderr)
        assert not (tmp_path / "t.zt").exists()


class Growing(Ring):
    """The number of places is that of the class, which may change."""

    def moves(self, position, out):
        out[0] = (position + 1) % 200_000
        out[1] = (position + 2) % 200_000
        return 2


@pytest.mark.slow("size")
@pytest.mark.parametrize("attribute", ["size", "places"])
def test_a_size_that_changes_is_seen(attribute):
    own = {"places": 200_000, "size": property(lambda self: type(self).places)}
    own = own if attribute == "places" else {"size": 200_000}
    kind = type("Growing", (Growing,), {**own, "unmoves": CompiledRules.unmoves})
    rules = kind()
    assert solve_rules(rules).counts()["draw"] == 200_000
    setattr(kind, attribute, 1000)
    with pytest.raises(InvalidRulesError, match=r"rank\(1\d\d\d\) gave"):
        solve_rules(rules)


@pytest.mark.parametrize("often", range(12))
def test_a_size_that_changes_during_solving_is_harmless(often):
    sizes = itertools.chain([100_000] * often, itertools.repeat(200_000))
    kind = type("Growing", (Growing,), {"size": property(lambda self: next(sizes))})
    try:
        found = solve_rules(kind()).entries
    except InvalidRulesError as error:
        found = error.member
    assert found in ("rank", 200_000)


def test_more_room_is_seen():
    class Roomy(Overfull):
        """Moves of a place are 900 at most."""

    rules = Roomy()
    with pytest.raises(InvalidRulesError, match="gave 900 moves; most_moves is 2"):
        zm.explore(rules)
    Roomy.most_moves = 900
    assert zm.explore(rules).graph.n == 50


STRANGE = """
import random, sys
import zermelo as zm
from zermelo.errors import ZermeloError

rules, choose, refused = zm.game(sys.argv[1]), random.Random(1), 0
for _ in range(100):
    start = choose.randrange(1 << choose.choice([20, 40, 57, 63])) - (choose.random() < 0.1)
    for symmetry in (True, False):
        try:
            assert zm.explore(rules, start=start, limit=300, symmetry=symmetry).graph.n
        except ZermeloError:
            refused += 1
print(refused)
"""


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("game", ["hexapawn:3x3", "hare-and-hounds"])
def test_a_start_that_is_no_position_cannot_end_the_process(game):
    done = subprocess.run(
        [sys.executable, "-c", STRANGE, game],
        env=os.environ | {"ZERMELO_KERNELS": "compile"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 0


FOREVER = """
import os, signal, threading, sys
import zermelo as zm
from endless import Endless

def interrupt():
    while not os.path.exists("begun"):
        pass
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=interrupt, daemon=True).start()
try:
    zm.explore(Endless(), progress=lambda *x: open("begun", "w").close())
except KeyboardInterrupt:
    print("interrupted")
"""

ENDLESS = """
from zermelo import CompiledRules

class Endless(CompiledRules):
    most_moves = 1

    def start(self):
        return 0

    def moves(self, position, out):
        k = 0
        while position >= 1_000_000:
            k = (k + 1) & 1023
            if k < 0:
                return 0
        out[0] = position + 1
        return 1
"""


@pytest.mark.compiled
@pytest.mark.skipif(sys.platform == "win32", reason="signals are others there")
def test_rules_that_never_end_can_be_interrupted(tmp_path):
    (tmp_path / "endless.py").write_text(textwrap.dedent(ENDLESS))
    (tmp_path / "script.py").write_text(FOREVER)
    with interrupts.start(
        [sys.executable, "script.py"],
        cwd=tmp_path,
        env=os.environ | {"ZERMELO_KERNELS": "compile"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        output, errors = process.communicate(timeout=HANG)
    assert output == "interrupted\n", errors
    assert process.returncode in (0, -signal.SIGINT)
