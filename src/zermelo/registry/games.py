"""The table of games: adding one is one new file and one row here.

The module that a row names is imported when it is used. Other packages add rows through the entry
point ``zermelo.games``; each entry point names an object that is a row.
"""

from dataclasses import dataclass
from functools import partial

from zermelo.registry.table import Row, Table


@dataclass(frozen=True)
class GameRow(Row):
    """A game: ``target`` is a subclass of :class:`~zermelo.rules.base.Rules`."""

    parameters: str = ""
    """The syntax of its parameters after the colon."""
    example: str = ""
    """A small example, in the syntax that :func:`game` reads."""


def _game(
    package: str, name: str, summary: str, parameters: str, example: str, class_name: str = ""
) -> GameRow:
    """A game in a file of its own name; the class has the same name, unless another is given."""
    own = "".join(word.capitalize() for word in name.split("-"))
    module = f"zermelo.rules.{package}.{name.replace('-', '_')}"
    return GameRow(name, summary, f"{module}:{class_name or own}", parameters, example)


_impartial = partial(_game, "impartial")
_partizan = partial(_game, "partizan")
_board = partial(_game, "boards")
_row = partial(_game, "boards.rows")
_hunt = partial(_game, "boards.hunts")
_sowing = partial(_game, "boards.sowing")

GAMES: Table[GameRow] = Table(
    "game",
    "zermelo.games",
    (
        _impartial("nim", "take any number of counters from one heap", "HEAP,HEAP,…", "nim:3,4,5"),
        _impartial(
            "subtraction",
            "take a number of counters that a set allows from one heap",
            "TAKE,TAKE,…/HEAP,…",
            "subtraction:1,2,5/12",
        ),
        _impartial(
            "mark",
            "take one counter from a heap, or half of them, rounded up",
            "HEAP,HEAP,…",
            "mark:20",
        ),
        _impartial(
            "fibonacci-nim",
            "take at most twice as many as the opponent took",
            "HEAP",
            "fibonacci-nim:20",
        ),
        _impartial(
            "wythoff",
            "take from one of two heaps, or the same number from both",
            "HEAP,HEAP",
            "wythoff:8,13",
        ),
        _impartial(
            "euclid",
            "subtract a multiple of the smaller number from the larger",
            "NUMBER,NUMBER",
            "euclid:25,7",
        ),
        _impartial(
            "kayles", "knock down one pin of a row, or two neighbours", "ROW,ROW,…", "kayles:9"
        ),
        _impartial(
            "dawsons-chess",
            "pawns that must capture: a move removes a file and the files next to it",
            "WIDTH,WIDTH,…",
            "dawsons-chess:9",
        ),
        _impartial(
            "chomp",
            "remove a square and all squares above and to the right; the corner is poisoned",
            "ROWSxCOLUMNS",
            "chomp:3x4",
        ),
        _impartial(
            "cram", "put a domino on two free neighbouring squares", "ROWSxCOLUMNS", "cram:3x3"
        ),
        _impartial(
            "node-kayles",
            "remove a vertex of a graph and its neighbours",
            "EDGE,EDGE,…",
            "node-kayles:a-b,b-c,c-d,d-b",
        ),
        _impartial(
            "annihilation",
            "move tokens along arcs; two that meet destroy each other",
            "ARC,ARC,…[/VERTEX,…]",
            "annihilation:a-b,b-c,c-a,c-d/a,b",
        ),
        _partizan(
            "hackenbush",
            "cut an edge of your colour; edges that are not connected to the ground then fall",
            "STALK+STALK+… or EDGE,EDGE,…",
            "hackenbush:lrg+rl",
        ),
        _partizan(
            "domineering",
            "Left puts vertical dominoes on a board, and Right puts horizontal ones",
            "ROWSxCOLUMNS or SQUARES/SQUARES/…",
            "domineering:3x3",
        ),
        _partizan(
            "col",
            "paint squares; neighbours never get the same colour",
            "ROWSxCOLUMNS or SQUARES/SQUARES/…",
            "col:2x3",
        ),
        _partizan(
            "snort",
            "paint squares; neighbours never get different colours",
            "ROWSxCOLUMNS or SQUARES/SQUARES/…",
            "snort:2x3",
        ),
        _partizan(
            "clobber",
            "move a piece onto a neighbouring piece of the opponent, which is removed",
            "ROWSxCOLUMNS or MEN/MEN/…",
            "clobber:2x4",
        ),
        _partizan(
            "toads-and-frogs",
            "toads move right and frogs left, by one square or over one opponent",
            "STRIP",
            "toads-and-frogs:tt..ff",
        ),
        GameRow(
            "backsliding-toads-and-frogs",
            "toads and frogs that may also move back by one square",
            "zermelo.rules.partizan.toads_and_frogs:BackslidingToadsAndFrogs",
            "STRIP",
            "backsliding-toads-and-frogs:t..f",
        ),
        _partizan(
            "amazons",
            "a queen moves and then shoots an arrow, which blocks the square that it hits",
            "ROWSxCOLUMNS or SQUARES/SQUARES/…",
            "amazons:2x3",
        ),
        _partizan(
            "fox-and-geese",
            "geese move up the board to enclose a fox, which moves in all directions",
            "ROWSxCOLUMNS or SQUARES/SQUARES/…",
            "fox-and-geese:4x4",
        ),
        _partizan(
            "nogo",
            "put a piece on an empty square; every group must keep an empty neighbour",
            "ROWSxCOLUMNS or SQUARES/SQUARES/…",
            "nogo:2x3",
            "NoGo",
        ),
        _partizan(
            "konane",
            "jump over pieces of the opponent, which are removed",
            "ROWSxCOLUMNS or SQUARES/SQUARES/…",
            "konane:3x4",
        ),
        _partizan(
            "toppling-dominoes",
            "topple a domino of your colour; all dominoes on one side of it fall, too",
            "ROW+ROW+…",
            "toppling-dominoes:lre+rl",
        ),
        _row(
            "tictactoe",
            "three stones in a row on 3×3 squares win; a full board is a tie",
            "[misere]",
            "tictactoe",
            "TicTacToe",
        ),
        _row(
            "mnk",
            "stones in a row on a board win; a full board is a tie",
            "WIDTHxHEIGHTxROW[,misere]",
            "mnk:4x3x3",
            "MNK",
        ),
        GameRow(
            "connect4",
            "drop stones into columns; four in a row win, a full board is a tie",
            "zermelo.rules.boards.rows.connect_four:ConnectFour",
            "WIDTHxHEIGHT",
            "connect4:4x4",
        ),
        GameRow(
            "connect3",
            "drop stones into columns; three in a row win, a full board is a tie",
            "zermelo.rules.boards.rows.connect_four:ConnectThree",
            "WIDTHxHEIGHT",
            "connect3:3x3",
        ),
        _board(
            "hexapawn",
            "pawns cross a small board; a player who cannot move loses",
            "WIDTHxHEIGHT",
            "hexapawn:3x3",
        ),
        _board(
            "dodgem",
            "move your cars off the board; a player who cannot move wins",
            "SIDE",
            "dodgem:3",
        ),
        _row(
            "three-mens-morris",
            "put three pieces on nine points, then move them into a row; if stuck, a player loses",
            "[orth|fly]",
            "three-mens-morris",
        ),
        _row("tapatan", "Three Men's Morris on a board with diagonal lines", "[diag]", "tapatan"),
        _row("achi", "Tapatan with four pieces for each player", "[MEN]", "achi"),
        _row("nine-holes", "Three Men's Morris without diagonal rows", "[orth|fly]", "nine-holes"),
        _board(
            "mu-torere",
            "pieces on a ring and in its centre; a player who cannot move loses",
            "[free]",
            "mu-torere",
        ),
        _board(
            "pong-hau-ki",
            "two pieces for each player on five points; a player who cannot move loses",
            "",
            "pong-hau-ki",
        ),
        _hunt(
            "hare-and-hounds",
            "three hounds try to enclose a hare on eleven points; a player who is stuck loses",
            "[hare-first]",
            "hare-and-hounds",
        ),
        _hunt(
            "fox-and-hounds",
            "hounds move up a chessboard to enclose a fox; a player who cannot move loses",
            "SIDExSIDE[,foxSQUARE]",
            "fox-and-hounds:4x4",
        ),
        _board(
            "l-game",
            "move your L on 4×4 squares, then a neutral piece; a player who is stuck loses",
            "",
            "l-game",
        ),
        _board(
            "chopsticks",
            "touch a hand to add your fingers to it; a player with two dead hands loses",
            "split|nosplit-mod|cutoffBASE",
            "chopsticks:split-mod5",
        ),
        _row(
            "dao",
            "slide four pieces as far as possible, into a line, a square or the corners",
            "[nocorner]",
            "dao",
        ),
        _board(
            "othello",
            "turn over discs between two of yours; the player with more discs wins",
            "WIDTHxHEIGHT",
            "othello:4x4",
        ),
        _sowing(
            "awari",
            "sow seeds, capture two or three of them; more than half of them win at once",
            "HOUSESxSEEDS",
            "awari:2x2",
        ),
        _sowing(
            "kalah",
            "sow seeds around the board and into your store; more than half of them win at once",
            "HOUSESxSEEDS",
            "kalah:2x2",
        ),
        _board(
            "chinese-checkers",
            "step and jump to the opposite corner; a player who cannot move loses",
            "SIDExROWS",
            "chinese-checkers:3x1",
        ),
        _hunt(
            "cat-and-mouse",
            "a mouse moves along edges to its hole, and a cat tries to catch it",
            "EDGE,EDGE,…",
            "cat-and-mouse:0-2,0-5,1-3,2-4,2-5,3-4,3-5",
        ),
        GameRow(
            "chess",
            "an endgame of up to five pieces; stalemate is a tie, no castling or fifty-move rule",
            "zermelo.rules.chess.endgame:Chess",
            "MENvMEN",
            "chess:KRvK",
        ),
        _board("dobutsu", "shogi for children on 3×4 squares: capture the lion", "", "dobutsu"),
        _row(
            "teeko",
            "put four pieces on a board, then move them into a row or a square",
            "[advanced]",
            "teeko",
        ),
    ),
)
