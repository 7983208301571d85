"""The requests of the room "play": what they get and what they answer."""

from zermelo.play.scene import LONGEST_PICTURE, LONGEST_TEXT
from zermelo.web.endpoints import Endpoint
from zermelo.web.schema import array, boolean, integer, nullable, one_of, record, text

GAME = text(
    "A game of this server, by name, with its parameters after a colon",
    most=2_000, least=1, examples=["tictactoe", "nim:3,4,5"],
)  # fmt: skip
AT = text("The position in which play starts, as the rules write it", most=20_000)
MOVES = text("The numbers of the moves since then, with dots between", most=14_000)
WHERE = {"game": GAME, "at": AT, "moves": MOVES}
OPTIONAL = ("at", "moves")

TEXT = text(most=LONGEST_TEXT)
PICTURE = text("A picture in SVG", most=LONGEST_PICTURE)
DISTANCE = nullable(integer("Plies to the end", 0))
AGREED = integer("Plies to an end in a draw, on which both players would have to agree", 1)
VALUE = record(
    {
        "result": one_of(["win", "lose", "tie", "draw"]),
        "distance": DISTANCE,
        "agreed_distance": AGREED,
        "words": TEXT,
    },
    ("agreed_distance",),
)

MOVE = record(
    {
        "number": integer("The number by which the move is played", 0),
        "name": TEXT,
        "other": text("Other names", most=2 * LONGEST_TEXT),
        "ways": array(array(TEXT), "Cells of the picture to click, one list for each way"),
        "value": nullable(VALUE),
        "best": boolean(),
    }
)

SCENE = record(
    {
        "game": GAME,
        "solved": boolean("Whether values are given"),
        "position": TEXT,
        "picture": PICTURE,
        "second": boolean("Whether the second player is to move"),
        "sides": array(TEXT, "The names of the players", most=2),
        "left_out": text("What of the usual rules is left out", most=LONGEST_TEXT),
        "moves": array(MOVE),
        "over": nullable(record({"reason": one_of(["end", "repetition"]), "words": TEXT})),
        "value": nullable(VALUE),
        "history": array(
            record({"move": nullable(TEXT), "second": boolean(), "value": nullable(VALUE)}),
            "The positions so far; the result is the first player's",
        ),
    }
)

STEP = record(
    {
        "position": TEXT,
        "picture": PICTURE,
        "second": boolean(),
        "move": nullable(TEXT),
        "changed": array(TEXT),
        "value": VALUE,
    }
)

COUNT = integer(least=0)

ENDPOINTS = (
    Endpoint(
        "GET",
        "/play/games",
        "The games that can be played",
        "play:games",
        record({}),
        record(
            {
                "games": array(
                    record(
                        {
                            "name": TEXT,
                            "summary": TEXT,
                            "parameters": TEXT,
                            "example": TEXT,
                            "picture": PICTURE,
                        }
                    )
                ),
                "served": nullable(
                    record({"game": TEXT, "kind": one_of(["rules", "table", "game"]), "name": TEXT})
                ),
            }
        ),
    ),
    Endpoint(
        "GET",
        "/play/position",
        "A position of a game, its moves, and their values if the game is to be solved",
        "play:position",
        record(
            {**WHERE, "solve": boolean("Solve the game, if it is not solved yet")},
            (*OPTIONAL, "solve"),
        ),
        SCENE,
        key="game",
    ),
    Endpoint(
        "GET",
        "/play/line",
        "Best play from a position",
        "play:line",
        record(WHERE, OPTIONAL),
        record(
            {
                "steps": array(STEP),
                "comes_back_to": nullable(integer("The step that play comes back to", 0)),
                "whole": boolean("Whether the line goes to the end of play"),
            }
        ),
        key="game",
    ),
    Endpoint(
        "GET",
        "/play/counts",
        "How many positions of a game win, lose, tie and draw",
        "play:counts",
        record({"game": GAME}),
        record(
            {
                "positions": COUNT,
                "win": COUNT,
                "lose": COUNT,
                "tie": COUNT,
                "draw": COUNT,
                "longest_win": nullable(COUNT),
                "longest_lose": nullable(COUNT),
                "distances": one_of(["end", "conversion"]),
            }
        ),
        key="game",
    ),
    Endpoint(
        "GET",
        "/play/hardest",
        "The longest wins of a game, and its longest losses",
        "play:hardest_positions",
        record({"game": GAME}),
        record(
            {"positions": array(record({"position": TEXT, "picture": PICTURE, "value": VALUE}))}
        ),
        key="game",
    ),
)
