"""check-rules passes sound rules and names what is wrong with broken ones."""

import json
import re

import pytest
from click.testing import CliRunner

from zermelo._runtime.compiled.bind import bind
from zermelo.cli.main import cli
from zermelo.errors import InvalidOptionError, InvalidRulesError
from zermelo.registry import GAMES
from zermelo.rules.base import Rules
from zermelo.rules.compiled import NO_POSITION, OPEN, CompiledRules
from zermelo.rules.impartial.nim import Nim
from zermelo.rules.loading.games import game
from zermelo.rules.loading.load import load_rules
from zermelo.rules.partizan.base import PartizanRules
from zermelo.verify.rules.check import check_rules
from zermelo.verify.rules.partizan import Partizan


class Heaps(CompiledRules):
    """Two heaps of up to seven: take one or two from either. Position a + 8 b + 64 turn."""

    most_moves = most_unmoves = 4
    size = 128

    def start(self):
        return 6 + 8 * 6

    def moves(self, position, out):
        count = 0
        for k in range(1, 3):
            if position & 7 >= k:
                out[count] = position - k ^ 64
                count += 1
            if position >> 3 & 7 >= k:
                out[count] = position - 8 * k ^ 64
                count += 1
        return count

    def outcome(self, position):
        return -1 if position & 63 == 0 else OPEN

    def unmoves(self, position, out):
        count = 0
        for k in range(1, 3):
            if position & 7 <= 6 - k:
                out[count] = position + k ^ 64
                count += 1
            if position >> 3 & 7 <= 6 - k:
                out[count] = position + 8 * k ^ 64
                count += 1
        return count

    def canonical(self, position):
        a, b = position & 7, position >> 3 & 7
        return position if a <= b else position & 64 | b | a << 3

    def orbit(self, position):
        return 1 if position & 7 == position >> 3 & 7 else 2

    def rank(self, position):
        return self.canonical(position)

    def unrank(self, index):
        return index if index & 7 <= index >> 3 & 7 <= 6 else NO_POSITION

    def tier(self, position):
        return ((position & 7) + (position >> 3 & 7)) // 4

    def player(self, position):
        return position >> 6

    def show(self, position):
        return f"{position & 7}+{position >> 3 & 7}{'ab'[position >> 6]}"

    def parse(self, text):
        return int(text[0]) + 8 * int(text[2]) + 64 * (text[3] == "b")


class StartNegative(Heaps):
    def start(self):
        return -3


class StartChanges(Heaps):
    def start(self):
        self.calls = getattr(self, "calls", 0) + 1
        return 6 + self.calls


class StartFails(Heaps):
    def start(self):
        return 1 // 0


class TooManyMoves(Heaps):
    most_moves = 3


class MovesNegative(Heaps):
    def moves(self, position, out):
        out[0] = -1
        return 1


class MovesAtRandom(Heaps):
    def moves(self, position, out):
        self.calls = getattr(self, "calls", 0) + 1
        out[0] = self.calls % 5
        return 1


class OutcomeFive(Heaps):
    def outcome(self, position):
        return 5 if position & 63 == 9 else Heaps.outcome(self, position)


class CanonicalTwice(Heaps):
    def canonical(self, position):
        return position ^ 64


class CanonicalNoSymmetry(Heaps):
    def canonical(self, position):
        return position & 64 | position & 7


class CanonicalForgetsOutcome(Heaps):
    def outcome(self, position):
        return 1 if position & 63 == 8 else Heaps.outcome(self, position)


class OrbitTooSmall(Heaps):
    def orbit(self, position):
        return 1


class OrbitTooLarge(Heaps):
    def orbit(self, position):
        return 2


class OrbitDiffers(Heaps):
    def orbit(self, position):
        return 1 + (position & 7 < position >> 3 & 7)


class TierRises(Heaps):
    def tier(self, position):
        return 12 - (position & 7) - (position >> 3 & 7)


class TierNegative(Heaps):
    def tier(self, position):
        return -1


class TierNotSymmetric(Heaps):
    def tier(self, position):
        return position & 7


class PlayerTwo(Heaps):
    def player(self, position):
        return 1 + (position >> 6)


class RankBeyond(Heaps):
    size = 50


class RankUnreduced(Heaps):
    def rank(self, position):
        return position


class UnrankShifted(Heaps):
    def unrank(self, index):
        return Heaps.unrank(self, index ^ 64)


class UnrankNotCanonical(Heaps):
    def unrank(self, index):
        return index if index >> 3 & 7 < 7 and index & 7 < 7 else NO_POSITION


class RankAlone(Heaps):
    size = 0


class UnmovesForget(Heaps):
    def unmoves(self, position, out):
        return max(0, Heaps.unmoves(self, position, out) - 1)


class UnmovesInvent(Heaps):
    def unmoves(self, position, out):
        count = Heaps.unmoves(self, position, out)
        out[count] = position
        return count + 1

    most_unmoves = 5


class UnmovesTooMany(Heaps):
    most_unmoves = 1


class DifferEverywhere(Heaps):
    def moves_differ(self, position):
        return True


class ConvertsByTier(Heaps):
    def converts(self, position, option):
        return self.tier(position) != self.tier(option)


class ConvertsUnlikeImages(Heaps):
    def converts(self, position, option):
        return position % 2 == 0


class ConvertsInNumbers(Heaps):
    def converts(self, position, option):
        return 7


class Alternating(Heaps):
    """Heaps without a player, so that the players move in turn."""

    player = CompiledRules.player

    def unmoves_by_index(self, index, out):
        count = 0
        for k in range(self.unmoves(index, out)):
            new = self.tier(out[k]) == self.tier(index)
            rank = self.rank(out[k])
            for j in range(count):
                new = new and out[j] != rank
            if new:
                out[count] = rank
                count += 1
        return count


class IndicesForget(Alternating):
    def unmoves_by_index(self, index, out):
        return max(0, Alternating.unmoves_by_index(self, index, out) - 1)


class IndicesTwice(Alternating):
    most_unmoves = 5

    def unmoves_by_index(self, index, out):
        count = Alternating.unmoves_by_index(self, index, out)
        if count:
            out[count] = out[0]
        return count + (count > 0)


class IndicesTooMany(Alternating):
    def unmoves_by_index(self, index, out):
        return 99


class ShowAlike(Heaps):
    def show(self, position):
        return str(position & 63)


class ShowNoText(Heaps):
    def show(self, position):
        return position


class ParseWrong(Heaps):
    def parse(self, text):
        return 1 + Heaps.parse(self, text)


class ParseFails(Heaps):
    def parse(self, text):
        raise InvalidRulesError("no idea")


BROKEN = [
    (StartNegative, "start", "from 0 to"),
    (StartChanges, "start", "when called again"),
    (StartFails, "start", "ZeroDivisionError"),
    (TooManyMoves, "moves", "expected at most 3 moves"),
    (MovesNegative, "moves", "from 0 to"),
    (MovesAtRandom, "moves", "two calls give different moves"),
    (OutcomeFive, "outcome", "got 5"),
    (CanonicalTwice, "canonical", "has another"),
    (CanonicalNoSymmetry, "canonical", "has none, though"),
    (CanonicalForgetsOutcome, "canonical", "its outcome is"),
    (OrbitTooSmall, "orbit", "share it"),
    (OrbitTooLarge, "orbit", "but play reaches"),
    (OrbitDiffers, "orbit", "but that of its canonical form"),
    (TierRises, "tier", "a move leads from tier 0 up to 1"),
    (TierNegative, "tier", "got -1"),
    (TierNotSymmetric, "tier", "in another tier"),
    (PlayerTwo, "player", "expected 0 or 1"),
    (RankBeyond, "rank", "expected an index from 0 to 49"),
    (RankUnreduced, "rank", "but its canonical form has index"),
    (UnrankShifted, "rank", r"but unrank\(\d+\) gives"),
    (UnrankNotCanonical, "rank", "not canonical|the index of this position is"),
    (RankAlone, "rank", "together"),
    (UnmovesForget, "unmoves", "but unmoves does not list it"),
    (UnmovesInvent, "unmoves", "but it has no move there"),
    (UnmovesTooMany, "unmoves", "expected at most 1 unmoves"),
    (DifferEverywhere, "moves_differ", "lead to the same canonical form"),
    (ConvertsUnlikeImages, "converts", "expected the same moves that convert, up to symmetry"),
    (ConvertsInNumbers, "converts", "expected True or False, got 7"),
    (IndicesForget, "unmoves_by_index", "expected the indices .* of what unmoves gives"),
    (IndicesTwice, "unmoves_by_index", "each once"),
    (IndicesTooMany, "unmoves_by_index", r"expected at most 4 indices \(most_unmoves\), got 99"),
    (ShowAlike, "show", "both show as"),
    (ShowNoText, "show", "expected text"),
    (ParseWrong, "parse", "which reads as"),
    (ParseFails, "parse", "ParseFails.parse fails: no idea"),
]


def test_sound_rules_pass():
    found = check_rules(Heaps(), compiled=False)
    assert [x.message for x in found if not x.holds] == []
    members = {x.member for x in found}
    assert {"start", "moves", "unmoves", "rank", "orbit", "tier", "player", "parse"} <= members


@pytest.mark.slow
def test_indices_before_one_pass():
    found = {x.member: x for x in check_rules(Alternating())}
    assert all(x.holds for x in found.values()), found
    assert found["unmoves_by_index"].message.endswith("moves")


def test_conversions_of_sound_rules_pass():
    found = {x.member: x for x in check_rules(ConvertsByTier(), compiled=False)}
    assert all(x.holds for x in found.values()), found
    assert found["converts"].message.endswith("moves")


@pytest.mark.slow
@pytest.mark.compiled
def test_sound_rules_are_compiled_now(monkeypatch):
    """Object code that was kept is not what is compared."""
    monkeypatch.setattr(
        "zermelo._runtime.compiled.jit.read", lambda *_: pytest.fail("kept code was read")
    )
    found = check_rules(Heaps())[-1]
    assert (found.member, found.holds) == ("compiled", True)


@pytest.mark.parametrize(
    ("kind", "member", "message"), BROKEN, ids=lambda x: getattr(x, "__name__", x)
)
def test_broken_rules_are_named(kind, member, message):
    found = check_rules(kind())
    wrong = {x.member: x.message for x in found if not x.holds}
    assert re.search(message, wrong.get(member, "")), found


def test_moves_that_write_too_far_are_detected():
    class MovesBehind(Heaps):
        def moves(self, position, out):
            count = Heaps.moves(self, position, out)
            out[4] = 1
            return count

    (wrong,) = [x for x in check_rules(MovesBehind()) if not x.holds]
    assert wrong.member == "moves"
    assert "writes behind most_moves = 4" in wrong.message


@pytest.mark.slow
@pytest.mark.compiled
def test_what_the_compiler_makes_of_the_rules_is_compared():
    class Endless(Heaps):
        """Python's integers have no end, machine words have."""

        def tier(self, position):
            return 1 if (position + 1) << 62 > 0 else 0

    wrong = [x for x in check_rules(Endless()) if not x.holds]
    assert [x.member for x in wrong] == ["compiled"]
    assert "in Python" in wrong[0].message


@pytest.mark.slow
@pytest.mark.compiled
def test_rules_that_cannot_be_compiled_are_reported():
    class Listing(Heaps):
        def tier(self, position):
            return 0 * position.bit_length()

    wrong = [x for x in check_rules(Listing()) if not x.holds]
    assert [x.member for x in wrong] == ["compiled"]
    assert "cannot be compiled" in wrong[0].message


class Pairs(Rules):
    """Plain rules: Nim with two heaps as a pair."""

    def start(self):
        return (2, 1)

    def moves(self, position):
        a, b = position
        return [(x, b) for x in range(a)] + [(a, x) for x in range(b)]

    def canonical(self, position):
        return tuple(sorted(position))


class Unhashable(Pairs):
    def moves(self, position):
        return [list(x) for x in Pairs.moves(self, position)]


class NoList(Pairs):
    def moves(self, position):
        return 3


class WrongEnd(Pairs):
    def outcome(self, position):
        return "lost" if position == (0, 0) else None


class NotIdempotent(Pairs):
    def canonical(self, position):
        return position[::-1]


@pytest.mark.parametrize(
    ("kind", "member", "message"),
    [
        (Unhashable, "moves", "hashable"),
        (NoList, "moves", "expected positions, got 3"),
        (WrongEnd, "outcome", "got 'lost'"),
        (NotIdempotent, "canonical", "has another"),
    ],
)
def test_plain_rules(kind, member, message):
    assert all(x.holds for x in check_rules(Pairs()))
    assert all(x.holds for x in check_rules(Nim(3, 4)))
    wrong = {x.member: x.message for x in check_rules(kind()) if not x.holds}
    assert message in wrong[member]


FILE = """
from zermelo.rules.compiled import CompiledRules

class Countdown(CompiledRules):
    most_moves = 2

    def __init__(self, high=10):
        self.high = high

    def start(self):
        return self.high

    def moves(self, position, out):
        count = min(2, position)
        for k in range(count):
            out[k] = position - 1 - k
        return count
"""


def test_a_file_of_ones_own(tmp_path):
    path = tmp_path / "countdown.py"
    path.write_text(FILE)
    assert load_rules(str(path)).start() == 10
    assert load_rules(f"{path}:12").start() == 12
    assert load_rules(f"{path}:Countdown").start() == 10
    assert load_rules(f"{path}:Countdown:7").start() == 7
    assert load_rules(f"{path}:Countdown:7").known_as == f"{path}:Countdown:7"
    with pytest.raises(InvalidOptionError, match="expected a class Countdown, got 'Countup'"):
        load_rules(f"{path}:Countup")
    with pytest.raises(InvalidOptionError, match=r"countdown.py:x,y: expected integers"):
        load_rules(f"{path}:x,y")


def test_files_that_are_no_rules(tmp_path):
    with pytest.raises(InvalidOptionError, match="no such file"):
        load_rules(str(tmp_path / "none.py"))
    (tmp_path / "broken.py").write_text("def start(:\n")
    with pytest.raises(InvalidRulesError, match=r"broken.py:1: it does not run: SyntaxError"):
        load_rules(str(tmp_path / "broken.py"))
    (tmp_path / "empty.py").write_text("")
    with pytest.raises(InvalidRulesError, match="expected rules"):
        load_rules(str(tmp_path / "empty.py"))
    (tmp_path / "two.py").write_text(FILE + FILE.replace("Countdown", "Other"))
    with pytest.raises(InvalidOptionError, match="name one of the classes"):
        load_rules(str(tmp_path / "two.py"))
    (tmp_path / "plain.py").write_text("def start(): return 3\ndef moves(n): return range(n)\n")
    assert load_rules(str(tmp_path / "plain.py")).start() == 3


@pytest.mark.slow
def test_the_command(tmp_path):
    path = tmp_path / "countdown.py"
    path.write_text(FILE)
    run = lambda *args: CliRunner().invoke(cli, [*args], prog_name="zermelo")  # noqa: E731
    good = run("check-rules", f"{path}:4")
    assert good.exit_code == 0
    assert good.stdout.splitlines()[0] == "ok     start      position 4"
    path = tmp_path / "count.py"
    path.write_text(FILE.replace("most_moves = 2", "most_moves = 1"))
    bad = run("check-rules", str(path))
    assert bad.exit_code == 1
    assert "count.py:13: Countdown.moves: position 10: expected at most 1 moves" in bad.stdout
    assert bad.stderr.startswith("zermelo: ")
    data = json.loads(run("check-rules", str(path), "--json").stdout)
    assert data["holds"] is False
    assert data["checks"][-1]["member"] == "moves"
    assert set(data["checks"][-1]) == {"member", "holds", "message"}
    assert run("check-rules", "no-such-game").exit_code == 2


PARAMETERS = [
    "tictactoe:misere", "hexapawn:4x5", "chopsticks:nosplit-cutoff5", "dao:nocorner",
    "teeko:advanced", "three-mens-morris:fly", "chess:KPvK", "chess:KBNvK", "awari:3x2",
    "kalah:3x2", "clobber:rrl/lrr", "col:9x9", "domineering:9x9", "hackenbush:0-a:l,a-b:r",
]  # fmt: skip
"""Other parameters than those of the examples: other code, or too many bits for a machine word."""


@pytest.mark.sampled(cases=17)
@pytest.mark.slow("col:2x3", "l-game")
@pytest.mark.parametrize("name", [*(row.example for row in GAMES), *PARAMETERS])
def test_every_game_passes(name, monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")  # compiling all of them is what their tests do
    rules = game(name)
    kinds = [rules, rules.as_rules()] if isinstance(rules, PartizanRules) else [rules]
    for kind in kinds:
        assert [x for x in check_rules(kind, samples=25, seed=1) if not x.holds] == []


GRIDS = [row.example for row in GAMES if getattr(game(row.example), "compiles", False)]


@pytest.mark.parametrize("name", GRIDS)
def test_what_grids_fill_in_is_what_kernels_take(name, monkeypatch):
    """A game may have no opposites, and its ``opposite_image`` says so by −1."""
    monkeypatch.setattr(
        "zermelo.verify.rules.compiled.fresh",
        lambda template, rules: bind(template, rules).interpreted,
    )
    checks = Partizan(game(name), samples=25, seed=1)
    checks.sample()
    assert checks.compiled().startswith("Python and the compiler agree on")


@pytest.mark.slow
@pytest.mark.compiled
def test_a_game_without_opposites_is_compiled():
    found = check_rules(game("fox-and-geese:4x4"), samples=20)
    assert [x for x in found if not x.holds] == []
    assert found[-1].member == "compiled"


@pytest.mark.parametrize("samples", [30, 60, 61, 160])
def test_the_samples_are_all_only_if_they_are(samples):
    """A walk that finds nothing new for long has not seen all positions."""
    found = check_rules(game("pong-hau-ki"), samples, compiled=False)
    assert [x for x in found if not x.holds] == []


def test_samples_are_deep():
    """A mistake that shows in the last positions of a long game only is found."""

    class Late(Rules):
        def start(self):
            return (0, 0)

        def moves(self, position):
            depth, spot = position
            return [(depth + 1, x) for x in range(4 if spot else 2)] if depth < 60 else []

        def canonical(self, position):
            depth, spot = position
            return position if depth < 50 else (depth, max(1, spot))

    wrong = [x.member for x in check_rules(Late(), samples=200) if not x.holds]
    assert wrong == ["canonical"]


def test_samples_reach_the_end_of_a_long_game():
    class Long(Rules):
        def start(self):
            return 3000

        def moves(self, n):
            return [n - k for k in (1, 2) if k <= n]

        def show(self, n):
            return "few" if n < 40 else str(n)

    assert [x.member for x in check_rules(Long(), samples=200) if not x.holds] == ["show"]


def test_components_of_plain_rules_are_compared():
    class Forgets(Nim):
        def components(self, heaps):
            return [(x,) for x in heaps[:2]]

    assert [x.member for x in check_rules(Forgets(1, 2, 3)) if not x.holds] == ["components"]


def test_the_work_of_a_check_is_bounded_by_counts(monkeypatch):
    class Wide(Nim):
        asked = 0

        def moves(self, heaps):
            type(self).asked += 1
            return super().moves(heaps)

    monkeypatch.setattr("zermelo.verify.rules.plain.MAX_GENERATED_MOVES", 500)
    monkeypatch.setattr("zermelo.verify.rules.plain.MAX_COMPARED_STEPS", 500)
    found = check_rules(Wide(20, 20, 20))
    assert all(x.holds for x in found)
    assert Wide.asked < 500


def test_comparisons_of_values_are_bounded_by_counts(monkeypatch):
    monkeypatch.setattr("zermelo.verify.rules.plain.MAX_COMPARED_STEPS", 300)
    found = {x.member: x.message for x in check_rules(Nim(4, 5, 6), compiled=False)}
    whole = {x.member: x.message for x in check_rules(Nim(2, 2, 2), compiled=False)}
    compared, of_all = (int(x["components"].split()[0]) for x in (found, whole))
    assert 0 < compared < of_all * 8


class Descent(Rules):
    """Plain rules: count down from 3."""

    def start(self):
        return 3

    def moves(self, n):
        return range(n)


class OverAtOnce(Descent):
    def outcome(self, n):
        return 0


class Stuck(Descent):
    def start(self):
        return 0


class Circle(Descent):
    def moves(self, n):
        return [(n + 1) % 4]


class Upward(Descent):
    def moves(self, n):
        return [n + 1]


class Misspelt(Descent):
    most_move = 3

    def outcomes(self, n):
        return 0

    def cannonical(self, n):
        return n

    def move(self, n):
        """A helper beside ``moves`` is none of them."""


@pytest.mark.parametrize(
    ("kind", "warned"),
    [
        (Descent, {}),
        (OverAtOnce, {"start": "its outcome is 0; where play goes on, it is OPEN"}),
        (Stuck, {"start": "it has no moves"}),
        (Circle, {"moves": "none of the 4 positions is an end, so every play goes on for ever"}),
        (Upward, {"moves": "positions that were looked at is an end; does play end?"}),
        (Misspelt, {"cannonical": "is canonical meant?", "outcomes": "is outcome meant?"}),
    ],
)
def test_what_is_most_likely_not_meant_is_a_warning(kind, warned, monkeypatch):
    monkeypatch.setattr("zermelo.verify.rules.plain.MAX_POSITIONS_OF_ALL", 1000)
    found = check_rules(kind())
    assert all(x.holds for x in found)
    messages = {x.member: x.message for x in found if x.warning}
    assert set(messages) == set(warned)
    assert all(warned[member] in messages[member] for member in warned)


def test_modules_with_misspelt_members_are_warned_of(tmp_path):
    path = tmp_path / "typo.py"
    path.write_text(
        "def start(): return 2\ndef moves(n): return range(n)\ndef shows(n): return n\n"
    )
    found = [x.member for x in check_rules(load_rules(str(path))) if x.warning]
    assert found == ["shows"]


def test_the_command_warns(tmp_path):
    path = tmp_path / "over.py"
    path.write_text(
        "import zermelo as zm\n\nclass Over(zm.Rules):\n    def start(self): return 2\n"
        "    def moves(self, n): return range(n)\n    def outcome(self, n): return 0\n"
    )
    found = CliRunner().invoke(cli, ["check-rules", str(path)])
    assert found.exit_code == 0
    assert "\nwarn   start      play is over where it starts: its outcome is 0;" in found.stdout
    data = json.loads(CliRunner().invoke(cli, ["check-rules", str(path), "--json"]).stdout)
    assert [x["member"] for x in data["checks"] if x.get("warning")] == ["start"]


def test_unmoves_out_of_the_index_are_found():
    class Beyond(Heaps):
        size = 119

        def unmoves(self, position, out):
            count = Heaps.unmoves(self, position, out)
            out[count] = 127
            return count + 1

        most_unmoves = 5

    wrong = {x.member: x.message for x in check_rules(Beyond()) if not x.holds}
    assert "its index is 127; expected an index from 0 to 118" in wrong["unmoves"]


def test_player_is_that_of_the_canonical_form():
    class Swapped(Heaps):
        def player(self, position):
            return position & 1

    wrong = {x.member: x.message for x in check_rules(Swapped()) if not x.holds}
    assert "in its canonical form" in wrong["player"]


def test_an_index_that_is_not_all_reachable_is_sampled():
    class Strange(Heaps):
        """Positions of the index that play does not reach have moves out of it."""

        reachable = False

        def unrank(self, index):
            return index if index & 7 <= index >> 3 & 7 else NO_POSITION

        def rank(self, position):
            return self.canonical(position) if position >> 3 & 7 < 7 else 200

    wrong = {x.member for x in check_rules(Strange()) if not x.holds}
    assert "rank" in wrong
