"""The table of games: a new one is one new file and one row here.

Other packages add rows through the entry point ``zermelo.games``; each names a :class:`GameRow`.
"""

from dataclasses import dataclass
from typing import Any

from zermelo.errors import InvalidOptionError
from zermelo.registry import Row, Table
from zermelo.rules.base import Rules


@dataclass(frozen=True)
class GameRow(Row):
    """A game: ``target`` is a subclass of :class:`~zermelo.rules.base.Rules`."""

    parameters: str = ""
    """How its parameters are written after the colon."""
    example: str = ""
    """A small game of the kind, as :func:`game` reads it."""


GAMES: Table[GameRow] = Table(
    "game",
    "zermelo.games",
    (
        GameRow(
            "nim",
            "take any number of counters from one heap",
            "zermelo.rules.impartial.nim:Nim",
            "HEAP,HEAP,…",
            "nim:3,4,5",
        ),
        GameRow(
            "subtraction",
            "take a number of counters that a set allows from one heap",
            "zermelo.rules.impartial.subtraction:Subtraction",
            "TAKE,TAKE,…/HEAP,…",
            "subtraction:1,2,5/12",
        ),
        GameRow(
            "mark",
            "take one counter from a heap, or half of them, rounded up",
            "zermelo.rules.impartial.mark:Mark",
            "HEAP,HEAP,…",
            "mark:20",
        ),
        GameRow(
            "fibonacci-nim",
            "take at most twice what the opponent took",
            "zermelo.rules.impartial.fibonacci_nim:FibonacciNim",
            "HEAP",
            "fibonacci-nim:20",
        ),
        GameRow(
            "wythoff",
            "take from one of two heaps, or as many from both",
            "zermelo.rules.impartial.wythoff:Wythoff",
            "HEAP,HEAP",
            "wythoff:8,13",
        ),
        GameRow(
            "euclid",
            "subtract a multiple of the smaller number from the larger",
            "zermelo.rules.impartial.euclid:Euclid",
            "NUMBER,NUMBER",
            "euclid:25,7",
        ),
        GameRow(
            "kayles",
            "knock down one pin of a row, or two neighbours",
            "zermelo.rules.impartial.kayles:Kayles",
            "ROW,ROW,…",
            "kayles:9",
        ),
        GameRow(
            "dawsons-chess",
            "pawns that must capture: take a file and its neighbours",
            "zermelo.rules.impartial.dawsons_chess:DawsonsChess",
            "WIDTH,WIDTH,…",
            "dawsons-chess:9",
        ),
        GameRow(
            "chomp",
            "bite off a square and all above and to the right; one is poisoned",
            "zermelo.rules.impartial.chomp:Chomp",
            "ROWSxCOLUMNS",
            "chomp:3x4",
        ),
        GameRow(
            "cram",
            "put a domino on two free neighbouring squares",
            "zermelo.rules.impartial.cram:Cram",
            "ROWSxCOLUMNS",
            "cram:3x3",
        ),
        GameRow(
            "node-kayles",
            "take a vertex of a graph away, with its neighbours",
            "zermelo.rules.impartial.node_kayles:NodeKayles",
            "EDGE,EDGE,…",
            "node-kayles:a-b,b-c,c-d,d-b",
        ),
        GameRow(
            "annihilation",
            "move tokens along arcs; two that meet destroy each other",
            "zermelo.rules.impartial.annihilation:Annihilation",
            "ARC,ARC,…[/VERTEX,…]",
            "annihilation:a-b,b-c,c-a,c-d/a,b",
        ),
        GameRow(
            "hackenbush",
            "cut an edge of yours; what no longer hangs on the ground falls",
            "zermelo.rules.partizan.hackenbush:Hackenbush",
            "STALK+STALK+… or EDGE,EDGE,…",
            "hackenbush:lrg+rl",
        ),
        GameRow(
            "domineering",
            "Left puts upright dominoes on a board, Right lying ones",
            "zermelo.rules.partizan.domineering:Domineering",
            "ROWSxCOLUMNS or SQUARES/SQUARES/…",
            "domineering:3x3",
        ),
        GameRow(
            "col",
            "paint squares; neighbours never get the same colour",
            "zermelo.rules.partizan.col:Col",
            "ROWSxCOLUMNS or SQUARES/SQUARES/…",
            "col:2x3",
        ),
        GameRow(
            "snort",
            "paint squares; neighbours never get different colours",
            "zermelo.rules.partizan.snort:Snort",
            "ROWSxCOLUMNS or SQUARES/SQUARES/…",
            "snort:2x3",
        ),
        GameRow(
            "clobber",
            "a man takes a neighbour of the other side and stands in its place",
            "zermelo.rules.partizan.clobber:Clobber",
            "ROWSxCOLUMNS or MEN/MEN/…",
            "clobber:2x4",
        ),
        GameRow(
            "toads-and-frogs",
            "toads go right, frogs left, one square or over one of the others",
            "zermelo.rules.partizan.toads_and_frogs:ToadsAndFrogs",
            "STRIP",
            "toads-and-frogs:tt..ff",
        ),
        GameRow(
            "backsliding-toads-and-frogs",
            "toads and frogs that may also go back one square",
            "zermelo.rules.partizan.toads_and_frogs:BackslidingToadsAndFrogs",
            "STRIP",
            "backsliding-toads-and-frogs:t..f",
        ),
        GameRow(
            "amazons",
            "a queen moves and then shoots; what she hits burns",
            "zermelo.rules.partizan.amazons:Amazons",
            "ROWSxCOLUMNS or SQUARES/SQUARES/…",
            "amazons:2x3",
        ),
        GameRow(
            "fox-and-geese",
            "geese go up the board and hem in the fox, who goes everywhere",
            "zermelo.rules.partizan.fox_and_geese:FoxAndGeese",
            "ROWSxCOLUMNS or SQUARES/SQUARES/…",
            "fox-and-geese:4x4",
        ),
        GameRow(
            "nogo",
            "put a man on an empty square; every group must keep its air",
            "zermelo.rules.partizan.nogo:NoGo",
            "ROWSxCOLUMNS or SQUARES/SQUARES/…",
            "nogo:2x3",
        ),
        GameRow(
            "konane",
            "jump over men of the other side, which are taken",
            "zermelo.rules.partizan.konane:Konane",
            "ROWSxCOLUMNS or SQUARES/SQUARES/…",
            "konane:3x4",
        ),
        GameRow(
            "toppling-dominoes",
            "topple a domino of yours, and all on one side of it fall",
            "zermelo.rules.partizan.toppling_dominoes:TopplingDominoes",
            "ROW+ROW+…",
            "toppling-dominoes:lre+rl",
        ),
        GameRow(
            "tictactoe",
            "three stones in a row on 3×3 squares win; a full board is a tie",
            "zermelo.rules.boards.tictactoe:TicTacToe",
            "[misere]",
            "tictactoe",
        ),
        GameRow(
            "mnk",
            "stones in a row on a board win; a full board is a tie",
            "zermelo.rules.boards.mnk:MNK",
            "WIDTHxHEIGHTxROW[,misere]",
            "mnk:4x3x3",
        ),
        GameRow(
            "connect4",
            "drop stones into columns; four in a row win, a full board is a tie",
            "zermelo.rules.boards.connect_four:ConnectFour",
            "WIDTHxHEIGHT",
            "connect4:4x4",
        ),
        GameRow(
            "connect3",
            "drop stones into columns; three in a row win, a full board is a tie",
            "zermelo.rules.boards.connect_four:ConnectThree",
            "WIDTHxHEIGHT",
            "connect3:3x3",
        ),
        GameRow(
            "hexapawn",
            "pawns race across a small board; who cannot move loses",
            "zermelo.rules.boards.hexapawn:Hexapawn",
            "WIDTHxHEIGHT",
            "hexapawn:3x3",
        ),
        GameRow(
            "dodgem",
            "get your cars off the board, past the other's; who cannot move wins",
            "zermelo.rules.boards.dodgem:Dodgem",
            "SIDE",
            "dodgem:3",
        ),
        GameRow(
            "three-mens-morris",
            "put three men on nine points, then move them into a row; who cannot move loses",
            "zermelo.rules.boards.three_mens_morris:ThreeMensMorris",
            "[orth|fly]",
            "three-mens-morris",
        ),
        GameRow(
            "tapatan",
            "Three Men's Morris with diagonal roads",
            "zermelo.rules.boards.tapatan:Tapatan",
            "[diag]",
            "tapatan",
        ),
        GameRow(
            "achi",
            "Tapatan with four men each",
            "zermelo.rules.boards.achi:Achi",
            "[MEN]",
            "achi",
        ),
        GameRow(
            "nine-holes",
            "Three Men's Morris without diagonal rows",
            "zermelo.rules.boards.nine_holes:NineHoles",
            "[orth|fly]",
            "nine-holes",
        ),
        GameRow(
            "mu-torere",
            "men on a ring and in its middle; who cannot move loses",
            "zermelo.rules.boards.mu_torere:MuTorere",
            "[free]",
            "mu-torere",
        ),
        GameRow(
            "pong-hau-ki",
            "two men each on five points; who cannot move loses",
            "zermelo.rules.boards.pong_hau_ki:PongHauKi",
            "",
            "pong-hau-ki",
        ),
        GameRow(
            "hare-and-hounds",
            "three hounds drive a hare across eleven points; who cannot move loses",
            "zermelo.rules.boards.hare_and_hounds:HareAndHounds",
            "[hare-first]",
            "hare-and-hounds",
        ),
        GameRow(
            "fox-and-hounds",
            "hounds go up a chequered board and shut in a fox; who cannot move loses",
            "zermelo.rules.boards.fox_and_hounds:FoxAndHounds",
            "SIDExSIDE[,foxSQUARE]",
            "fox-and-hounds:4x4",
        ),
        GameRow(
            "l-game",
            "move your L on 4×4 squares, then a neutral piece; who cannot move loses",
            "zermelo.rules.boards.l_game:LGame",
            "",
            "l-game",
        ),
        GameRow(
            "chopsticks",
            "tap a hand with yours, and its fingers add up; two dead hands lose",
            "zermelo.rules.boards.chopsticks:Chopsticks",
            "split|nosplit-mod|cutoffBASE",
            "chopsticks:split-mod5",
        ),
        GameRow(
            "dao",
            "slide four men as far as they go, into a line, a block or the corners",
            "zermelo.rules.boards.dao:Dao",
            "[nocorner]",
            "dao",
        ),
        GameRow(
            "othello",
            "turn over discs between two of yours; most discs win",
            "zermelo.rules.boards.othello:Othello",
            "WIDTHxHEIGHT",
            "othello:4x4",
        ),
        GameRow(
            "awari",
            "sow seeds, capture twos and threes; most seeds win",
            "zermelo.rules.boards.awari:Awari",
            "HOUSESxSEEDS",
            "awari:2x2",
        ),
        GameRow(
            "kalah",
            "sow seeds around the board and into your store; most seeds win",
            "zermelo.rules.boards.kalah:Kalah",
            "HOUSESxSEEDS",
            "kalah:2x2",
        ),
        GameRow(
            "chinese-checkers",
            "step and jump to the opposite corner; who cannot move loses",
            "zermelo.rules.boards.chinese_checkers:ChineseCheckers",
            "SIDExROWS",
            "chinese-checkers:3x1",
        ),
        GameRow(
            "cat-and-mouse",
            "a mouse runs for its hole along edges, a cat after it",
            "zermelo.rules.boards.cat_and_mouse:CatAndMouse",
            "EDGE,EDGE,…",
            "cat-and-mouse:0-2,0-5,1-3,2-4,2-5,3-4,3-5",
        ),
        GameRow(
            "chess",
            "an endgame of chess of up to five men; stalemate is a tie",
            "zermelo.rules.chess.endgame:Chess",
            "MENvMEN",
            "chess:KRvK",
        ),
        GameRow(
            "dobutsu",
            "shogi for children on 3×4 squares: catch the lion",
            "zermelo.rules.boards.dobutsu:Dobutsu",
            "",
            "dobutsu",
        ),
        GameRow(
            "teeko",
            "drop four men each, then move them into a row or a square",
            "zermelo.rules.boards.teeko:Teeko",
            "[advanced]",
            "teeko",
        ),
    ),
)


def game(text: str) -> Rules[Any]:
    """The rules of a game by its name, and its parameters after a colon.

    >>> game("nim:3,4,5").start()
    (3, 4, 5)
    >>> game("chomps:3x4")
    Traceback (most recent call last):
    zermelo.errors.UnknownNameError: no game is called 'chomps'; did you mean 'chomp'? Known: ...
    >>> game("chomp:3")
    Traceback (most recent call last):
    zermelo.errors.InvalidOptionError: 'chomp:3': missing a required argument: 'columns', ...
    """
    if not isinstance(text, str):
        raise InvalidOptionError(f"expected a game such as 'nim:3,4,5', got {text!r}")
    name, _, parameters = text.partition(":")
    row = GAMES[name]
    try:
        made: Rules[Any] = row.load().from_text(parameters)  # type: ignore[attr-defined]
    except InvalidOptionError as error:
        form = f"{name}:{row.parameters}" if row.parameters else name
        example = f", such as {row.example}" if row.parameters else ""
        raise InvalidOptionError(f"{text!r}: {error}; expected {form}{example}") from None
    made.known_as = text  # type: ignore[attr-defined]  # a table says how to find its rules
    return made
