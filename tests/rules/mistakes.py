"""Files of rules with one mistake each, and the messages that a user has to get.

Each is a sound file with a piece of its text replaced.
"""

from dataclasses import dataclass

COMPILED = """\
import zermelo as zm


class Countdown(zm.CompiledRules):
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

    def outcome(self, position):
        return -1 if position == 0 else 2

    def show(self, position):
        return f"n{position}"

    def parse(self, text):
        return int(text[1:])
"""

BOARD = '''\
from zermelo import CompiledRules


class Heaps(CompiledRules):
    """Two heaps of up to six: take one or two from either. Position a + 8 b + 64 turn."""

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
        return -1 if position & 63 == 0 else 2

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
        return index if index & 7 <= index >> 3 & 7 <= 6 else -1

    def tier(self, position):
        return ((position & 7) + (position >> 3 & 7)) // 4

    def player(self, position):
        return position >> 6
'''

PLAIN = """\
import zermelo as zm


class Pairs(zm.Rules):
    def __init__(self, a=3, b=2):
        self.a, self.b = a, b

    def start(self):
        return (self.a, self.b)

    def moves(self, position):
        a, b = position
        return [(x, b) for x in range(a)] + [(a, x) for x in range(b)]

    def outcome(self, position):
        return -1 if position == (0, 0) else None

    def canonical(self, position):
        return tuple(sorted(position))

    def show(self, position):
        return f"{position[0]}+{position[1]}"

    def parse(self, text):
        return tuple(int(x) for x in text.split("+"))
"""

PARTIZAN = '''\
import zermelo as zm


class Coins(zm.PartizanRules):
    """Left takes a coin of a row, Right two neighbours."""

    def __init__(self, *rows):
        self.rows = rows or (3, 2)

    def start(self):
        return self.rows

    def left(self, rows):
        return self.take(rows, 1)

    def right(self, rows):
        return self.take(rows, 2)

    def take(self, rows, count):
        for i, n in enumerate(rows):
            for k in range(n - count + 1):
                yield tuple(x for x in (*rows[:i], k, n - count - k, *rows[i + 1 :]) if x)

    def components(self, rows):
        return [(n,) for n in rows]

    def canonical(self, rows):
        return tuple(sorted(rows))

    def show(self, rows):
        return "+".join(map(str, rows)) or "-"

    def parse(self, text):
        return () if text == "-" else tuple(int(x) for x in text.split("+"))
'''


@dataclass(frozen=True)
class Mistake:
    """A text and its replacement; then texts that the message must have."""

    name: str
    sound: str
    old: str
    new: str
    expected: tuple[str, ...]
    parameters: str = ""

    @property
    def text(self) -> str:
        """The whole file."""
        assert self.old in self.sound, self.name
        return self.sound.replace(self.old, self.new, 1)


def _mistakes(sound, *rows):
    return [Mistake(name, sound, old, new, expected) for name, old, new, *expected in rows]


START = "        return self.high\n"
MOVES = """        count = min(2, position)
        for k in range(count):
            out[k] = position - 1 - k
        return count
"""
OUTCOME = "        return -1 if position == 0 else 2\n"

COMPILED_MISTAKES = _mistakes(
    COMPILED,
    ("no most_moves", "    most_moves = 2\n", "", "Countdown", "most_moves"),
    ("most_moves is text", "most_moves = 2", "most_moves = '2'", "most_moves", "'2'"),
    ("most_moves is a float", "most_moves = 2", "most_moves = 2.0", "most_moves", "2.0"),
    ("most_moves is negative", "most_moves = 2", "most_moves = -2", "most_moves", "-2"),
    (
        "most_moves too small",
        "most_moves = 2",
        "most_moves = 1",
        "file.py:13",
        "moves",
        "at most 1",
    ),
    (
        "most_moves is a method",
        "    most_moves = 2\n",
        "    def most_moves(self):\n        return 2\n",
        "most_moves",
    ),
    (
        "most_moves is too large",
        "most_moves = 2",
        "most_moves = 10**12",
        "file.py:4",
        "most_moves",
        "16,777,216",
    ),
    (
        "most_moves fails",
        "    most_moves = 2\n",
        "    @property\n    def most_moves(self):\n        return self.hihg\n",
        "file.py:7",
        "most_moves",
        "hihg",
    ),
    ("no start", "    def start(self):\n" + START, "", "Countdown", "start"),
    ("start is no method", "    def start(self):\n" + START, "    start = 10\n", "start", "10"),
    ("start is async", "    def start", "    async def start", "file.py:10", "start", "async"),
    (
        "outcome is no method",
        "    def outcome(self, position):\n" + OUTCOME,
        "    outcome = 2\n",
        "file.py:4",
        "outcome",
        "expected a method",
        "2",
    ),
    (
        "moves changes the rules",
        "        count = min",
        "        self.last = count = min",
        "file.py:13",
        "moves",
        "self.last",
    ),
    (
        "moves changes a global",
        "        count = min",
        "        global last\n        count = min",
        "file.py:13",
        "moves",
        "last",
    ),
    ("no moves", "    def moves(self, position, out):\n" + MOVES, "", "Countdown", "moves"),
    ("start is text", START, "        return 'n10'\n", "file.py:10", "start", "'n10'"),
    ("start is a float", START, "        return 10.0\n", "file.py:10", "start", "10.0"),
    ("start is None", START, "        self.high\n", "file.py:10", "start", "None"),
    ("start is negative", START, "        return -1\n", "file.py:10", "start", "-1"),
    ("start is too large", START, "        return 2**70\n", "file.py:10", "start", str(2**70)),
    (
        "start takes a position",
        "def start(self)",
        "def start(self, position)",
        "file.py:10",
        "start",
    ),
    (
        "moves takes no out",
        "def moves(self, position, out)",
        "def moves(self, position)",
        "file.py:13",
        "moves",
    ),
    (
        "moves without self",
        "def moves(self, position, out)",
        "def moves(position, out)",
        "file.py:13",
        "moves",
    ),
    (
        "moves gives a list",
        MOVES,
        "        return [position - k for k in (1, 2) if k <= position]\n",
        "file.py:13",
        "moves",
        "[9, 8]",
    ),
    (
        "moves yields",
        MOVES,
        "        for k in range(min(2, position)):\n            yield position - 1 - k\n",
        "file.py:13",
        "moves",
        "generator",
    ),
    ("moves gives None", "        return count\n", "", "file.py:13", "moves", "None"),
    (
        "moves gives a float",
        "        return count\n",
        "        return count / 1\n",
        "file.py:13",
        "moves",
        "2.0",
    ),
    (
        "moves gives a negative count",
        "        return count\n",
        "        return -count\n",
        "file.py:13",
        "moves",
        "-2",
    ),
    (
        "moves gives a negative position",
        "out[k] = position - 1 - k",
        "out[k] = position - 9 - k",
        "file.py:13",
        "moves",
    ),
    ("moves gives text", "out[k] = position - 1 - k", "out[k] = 'n'", "file.py:", "moves"),
    (
        "moves overflows",
        "out[k] = position - 1 - k",
        "out[k] = position << 62 << k",
        "file.py:",
        "moves",
    ),
    (
        "moves indexes too far",
        "out[k] = position - 1 - k",
        "out[k] = (1, 2)[position]",
        "file.py:16",
        "moves",
        "IndexError",
    ),
    (
        "moves divides by zero",
        "out[k] = position - 1 - k",
        "out[k] = position - 1 - k + 0 // (position - 5)",
        "file.py:16",
        "moves",
        "ZeroDivisionError",
    ),
    (
        "moves knows a wrong name",
        "count = min(2, position)",
        "count = mim(2, position)",
        "file.py:14",
        "moves",
        "mim",
    ),
    (
        "moves asks a missing attribute",
        "count = min(2, position)",
        "count = min(self.hihg, position)",
        "file.py:14",
        "moves",
        "hihg",
    ),
    (
        "moves calls itself for ever",
        "count = min(2, position)",
        "count = self.moves(position, out)",
        "file.py:1",
        "moves",
    ),
    (
        "outcome is a text",
        OUTCOME,
        "        return -1 if position == 0 else 'open'\n",
        "file.py:19",
        "outcome",
        "got 'open'",
    ),
    (
        "outcome is 5",
        OUTCOME,
        "        return -1 if position == 0 else 5\n",
        "file.py:19",
        "outcome",
        "5",
    ),
    (
        "outcome is text",
        OUTCOME,
        "        return 'lost' if position == 0 else 2\n",
        "file.py:19",
        "outcome",
        "'lost'",
    ),
    ("outcome is True", OUTCOME, "        return position == 0\n", "file.py:19", "outcome"),
    (
        "outcome fails",
        OUTCOME,
        "        return [2, 2][position]\n",
        "file.py:20",
        "outcome",
        "IndexError",
    ),
    ("a name error in __init__", "self.high = high", "self.high = hihg", "file.py:8", "hihg"),
    (
        "the file ends the process",
        "\n\nclass",
        "\nimport sys\nsys.exit(3)\n\nclass",
        "file.py:4",
        "SystemExit",
    ),
    ("a syntax error", "def start(self):", "def start(self)", "file.py:10", "SyntaxError"),
    (
        "wrong indentation",
        "        self.high = high\n",
        "  self.high = high\n",
        "file.py:8",
        "IndentationError",
    ),
    (
        "a missing module",
        "import zermelo as zm",
        "import zermelo as zm, no_such_module",
        "file.py:1",
        "no_such_module",
    ),
    ("a missing base", "zm.CompiledRules", "zm.CompiledRule", "file.py:4", "CompiledRule"),
    ("no class", COMPILED, "high = 10\n", "file.py", "expected rules"),
    (
        "two classes",
        COMPILED,
        COMPILED + COMPILED.replace("Countdown", "Countup"),
        "file.py",
        "Countdown or Countup",
    ),
    ("show gives no text", 'return f"n{position}"', "return position", "file.py:22", "show"),
    (
        "show fails",
        'return f"n{position}"',
        "return 'abc'[position]",
        "file.py:23",
        "show",
        "IndexError",
    ),
    (
        "show is the same for all",
        'return f"n{position}"',
        "return 'n'",
        "file.py:22",
        "show",
        "'n'",
    ),
    ("parse gives another", "int(text[1:])", "int(text[1:]) + 1", "file.py:25", "parse"),
)

BOARD_MISTAKES = _mistakes(
    BOARD,
    (
        "unmoves forgets one",
        "            if position & 7 <= 6 - k:\n                out",
        "            if position & 7 <= 5 - k:\n                out",
        "file.py:27",
        "unmoves",
        "does not list it",
    ),
    (
        "unmoves invents one",
        "out[count] = position + k ^ 64",
        "out[count] = position + k",
        "file.py:27",
        "unmoves",
    ),
    (
        "unmoves gives None",
        "        return count\n\n    def canonical",
        "\n    def canonical",
        "file.py:27",
        "unmoves",
        "None",
    ),
    (
        "rank is not injective",
        "return self.canonical(position)",
        "return self.canonical(position) & 63",
        "file.py:45",
        "rank",
    ),
    (
        "rank is too large",
        "return self.canonical(position)",
        "return self.canonical(position) + 100",
        "file.py:45",
        "rank",
    ),
    (
        "rank is a float",
        "return self.canonical(position)",
        "return self.canonical(position) / 1",
        "file.py:45",
        "rank",
        "54.0",
    ),
    ("unrank gives another", "return index if", "return index ^ 64 if", "file.py:4", "rank"),
    ("rank alone", "    size = 128\n", "", "file.py:", "size, rank and unrank"),
    ("size is text", "size = 128", "size = '128'", "size", "'128'"),
    (
        "canonical is no symmetry",
        "return position if a <= b",
        "return position if a <= b + 1",
        "file.py:38",
        "canonical",
    ),
    (
        "canonical is a tuple",
        "return position if a <= b else",
        "return (a, b) if a <= b else",
        "file.py:38",
        "canonical",
    ),
    (
        "orbit is too small",
        "else 2\n\n    def rank",
        "else 1\n\n    def rank",
        "file.py:42",
        "orbit",
    ),
    (
        "orbit is too large",
        "return 1 if position & 7 ==",
        "return 2 if position & 7 ==",
        "file.py:42",
        "orbit",
    ),
    (
        "tier rises",
        "(position >> 3 & 7)) // 4",
        "(position >> 3 & 7)) * -1 + 12",
        "file.py:51",
        "tier",
    ),
    (
        "tier is negative",
        "(position >> 3 & 7)) // 4",
        "(position >> 3 & 7)) // 4 - 1",
        "file.py:51",
        "tier",
    ),
    (
        "player is 2",
        "return position >> 6",
        "return 1 + (position >> 6)",
        "file.py:54",
        "player",
        "2",
    ),
    (
        "player does not change",
        "return position >> 6",
        "return position & 1",
        "file.py:54",
        "player",
    ),
)

PLAIN_START = "        return (self.a, self.b)\n"
PLAIN_MOVES = "        return [(x, b) for x in range(a)] + [(a, x) for x in range(b)]\n"
PLAIN_OUTCOME = "        return -1 if position == (0, 0) else None\n"

PLAIN_MISTAKES = _mistakes(
    PLAIN,
    ("no start", "    def start(self):\n" + PLAIN_START, "", "Pairs", "start"),
    (
        "no moves",
        "    def moves(self, position):\n        a, b = position\n" + PLAIN_MOVES,
        "",
        "Pairs",
        "moves",
    ),
    (
        "start is no method",
        "    def start(self):\n" + PLAIN_START,
        "    start = (3, 2)\n",
        "file.py:4",
        "start",
        "expected a method",
        "(3, 2)",
    ),
    (
        "moves is no method",
        "    def moves(self, position):\n        a, b = position\n" + PLAIN_MOVES,
        "    moves = {(3, 2): []}\n",
        "file.py:4",
        "moves",
        "expected a method",
        "{(3, 2): []}",
    ),
    ("show is no method", "    def show", "    show = 3\n\n    def shows", "show", "a method", "3"),
    ("moves gives None", PLAIN_MOVES, "", "file.py:11", "moves", "None"),
    ("moves gives a number", PLAIN_MOVES, "        return 3\n", "file.py:11", "moves", "3"),
    (
        "moves gives lists",
        PLAIN_MOVES,
        "        return [[x, b] for x in range(a)]\n",
        "file.py:11",
        "moves",
        "hashable",
    ),
    (
        "moves never ends",
        PLAIN_MOVES,
        "        while True:\n            yield (0, 0)\n",
        "file.py:11",
        "moves",
    ),
    (
        "start is a list",
        PLAIN_START,
        "        return [self.a, self.b]\n",
        "file.py:8",
        "start",
        "hashable",
    ),
    ("start is None", PLAIN_START, "        pass\n", "file.py:8", "start", "None"),
    (
        "outcome is 5",
        PLAIN_OUTCOME,
        "        return 5 if position == (0, 0) else None\n",
        "file.py:15",
        "outcome",
        "5",
    ),
    (
        "outcome is 3 for open",
        PLAIN_OUTCOME,
        "        return -1 if position == (0, 0) else 3\n",
        "file.py:15",
        "outcome",
        "got 3",
    ),
    (
        "outcome is text",
        PLAIN_OUTCOME,
        "        return 'lost' if position == (0, 0) else None\n",
        "file.py:15",
        "outcome",
        "'lost'",
    ),
    (
        "outcome fails",
        PLAIN_OUTCOME,
        "        return {(0, 0): -1}[position]\n",
        "file.py:16",
        "outcome",
        "KeyError",
    ),
    (
        "moves fails deep down",
        PLAIN_MOVES,
        PLAIN_MOVES.rstrip() + " * (1 // (a + b - 1))\n",
        "file.py:13",
        "moves",
        "ZeroDivisionError",
    ),
    (
        "moves takes too much",
        "def moves(self, position)",
        "def moves(self, position, player, out)",
        "file.py:11",
        "moves",
    ),
    (
        "moves recurs for ever",
        "        a, b = position\n",
        "        a, b = self.moves(position)\n",
        "file.py:12",
        "moves",
        "RecursionError",
    ),
    (
        "canonical is no symmetry",
        "return tuple(sorted(position))",
        "return (0, sum(position))",
        "file.py:18",
        "canonical",
    ),
    (
        "canonical is a list",
        "return tuple(sorted(position))",
        "return sorted(position)",
        "file.py:18",
        "canonical",
    ),
    (
        "show is the same for two",
        'f"{position[0]}+{position[1]}"',
        "str(sum(position))",
        "file.py:21",
        "show",
    ),
    ("parse is wrong", 'text.split("+")', 'text.split("+")[::-1]', "file.py:24", "parse"),
    (
        "an open file on self",
        "self.a, self.b = a, b",
        "self.a, self.b = a, open('nowhere.txt')",
        "file.py:6",
        "__init__",
        "nowhere.txt",
    ),
)

PARTIZAN_MISTAKES = _mistakes(
    PARTIZAN,
    (
        "no right",
        "    def right(self, rows):\n        return self.take(rows, 2)\n",
        "",
        "Coins",
        "right",
    ),
    ("no start", "    def start(self):\n        return self.rows\n", "", "Coins", "start"),
    (
        "left gives None",
        "        return self.take(rows, 1)\n",
        "        self.take(rows, 1)\n",
        "file.py:13",
        "left",
        "None",
    ),
    ("left gives a number", "return self.take(rows, 1)", "return 1", "file.py:13", "left", "1"),
    (
        "right gives lists",
        "return self.take(rows, 2)",
        "return [list(x) for x in self.take(rows, 2)]",
        "file.py:16",
        "right",
        "hashable",
    ),
    (
        "left fails",
        "return self.take(rows, 1)",
        "return self.take(rows[0], 1)",
        "file.py:",
        "left",
        "TypeError",
    ),
    ("left takes too little", "def left(self, rows)", "def left(self)", "file.py:13", "left"),
    (
        "start is a list",
        "return self.rows\n",
        "return list(self.rows)\n",
        "file.py:10",
        "start",
        "hashable",
    ),
    (
        "components forget a part",
        "return [(n,) for n in rows]",
        "return [(n,) for n in rows[:1]]",
        "file.py:24",
        "components",
    ),
    (
        "components split too much",
        "return [(n,) for n in rows]",
        "return [(1,) for n in rows for _ in range(n)]",
        "file.py:24",
        "components",
    ),
    (
        "components is None",
        "return [(n,) for n in rows]",
        "[(n,) for n in rows]",
        "file.py:24",
        "components",
        "None",
    ),
    (
        "components fail",
        "return [(n,) for n in rows]",
        "return [(rows[n],) for n in rows]",
        "file.py:25",
        "components",
        "IndexError",
    ),
    (
        "canonical is no symmetry",
        "return tuple(sorted(rows))",
        "return (sum(rows),)",
        "file.py:27",
        "canonical",
    ),
    (
        "canonical is a list",
        "return tuple(sorted(rows))",
        "return sorted(rows)",
        "file.py:27",
        "canonical",
    ),
    (
        "opposite is wrong",
        "    def show(",
        "    def opposite(self, rows):\n        return rows\n\n    def show(",
        "file.py:30",
        "opposite",
    ),
    (
        "show is the same for all",
        'return "+".join(map(str, rows)) or "-"',
        "return '-'",
        "file.py:30",
        "show",
    ),
    ("parse is wrong", 'text.split("+")', 'text.split("+") if x != "1"', "file.py:33", "parse"),
)
