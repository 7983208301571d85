"""Games on graphs: read, lay out, solve, follow an algorithm, explain, summarise, export."""

from zermelo.draw.drawing import OWN_ENGINES
from zermelo.draw.summary import WAYS
from zermelo.web.api.graph_games import FAMILIES
from zermelo.web.api.graph_views import MOST_STEPS
from zermelo.web.endpoints import Endpoint
from zermelo.web.graph_data import (
    FORMAT,
    GRAPH,
    MOST_DRAWN,
    MOST_TEXT,
    OPTIONAL,
    PICTURE,
    REQUEST,
)
from zermelo.web.objective_form import OBJECTIVE
from zermelo.web.schema import (
    Schema,
    anything,
    array,
    boolean,
    integer,
    mapping,
    nullable,
    number,
    one_of,
    record,
    text,
)

NUMBERS = array(integer("", 0))
PLACES: Schema = array(array(number(minimum=-1e9, maximum=1e9), least=2, most=2))
CHOICE: dict[str, Schema] = {"by": one_of(WAYS), "solved": boolean("Whether results are shown")}
RESULT = array(anything(), "A position, the player to move or null, a text and a kind", most=4)

STEP = record(
    {
        "text": text("What happens"),
        "rule": text("The rule, or the line of the algorithm"),
        "positions": NUMBERS,
        "moves": array(array(integer("", 0), least=2, most=2)),
        "results": array(RESULT),
        "within": nullable(NUMBERS),
    }
)

ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(
        "GET", "/graphs/catalogue", "Objectives, formats, layouts, generators and games",
        "graph_games:catalogue", record({}),
        record(
            {
                "objectives": array(OBJECTIVE),
                "formats": array(
                    record({"name": text(), "summary": text(), "suffixes": array(text()),
                            "binary": boolean()})
                ),
                "layouts": array(text()),
                "generators": array(
                    record({"name": text(), "summary": text(), "parameters": array(
                        record({"name": text(), "kind": text(), "default": anything()}))})
                ),
                "games": array(record({"name": text(), "summary": text(), "example": text()})),
                "drawn": integer("The largest number of positions that is drawn"),
            }
        ),
    ),
    Endpoint(
        "POST", "/graphs/parse", "Read a game", "graph_games:read",
        record({"text": text(most=MOST_TEXT), "format": FORMAT,
                "binary": boolean("Whether the text is a binary file in base64")},
               ("format", "binary")),
        GRAPH,
    ),
    Endpoint(
        "GET", "/graphs/served", "The game that the command line named", "graph_games:served",
        record({}), GRAPH,
    ),
    Endpoint(
        "POST", "/graphs/generate", "Generate a game", "graph_games:generate",
        record({"family": one_of(FAMILIES),
                "parameters": mapping(
                    {"anyOf": [number(minimum=-1e15, maximum=1e15), boolean(), text(most=100)]})}),
        GRAPH,
    ),
    Endpoint(
        "POST", "/graphs/explore", "The graph of a built-in game", "graph_games:explored",
        record({"game": text("Such as nim:3,4,5", most=200)}), GRAPH,
    ),
    Endpoint(
        "POST", "/graphs/layout", "Places for the positions", "graph_views:layout",
        record({**REQUEST, "engine": nullable(one_of(OWN_ENGINES))}, (*OPTIONAL, "engine")),
        record({"places": PLACES}), key="session",
    ),
    Endpoint(
        "POST", "/graphs/solve", "Solve a game", "graph_views:solve", record(REQUEST, OPTIONAL),
        record(
            {
                "verdict": text("How many positions, or situations, each player wins"),
                "objective": text(),
                "note": text("What may be forgotten; empty if nothing is"),
                "solver": text(),
                "counts": mapping(integer()),
                "doubled": boolean("Whether the result depends on the player to move"),
                "picture": nullable(PICTURE),
            }
        ),
        key="session",
    ),
    Endpoint(
        "POST", "/graphs/explain", "Why a position has its result", "graph_views:explain",
        record({**REQUEST, "position": integer("Its number", 0), "depth": integer("", 0, 20),
                "player": nullable(integer("The player to move", 0, 1))},
               (*OPTIONAL, "player", "depth")),
        record({"text": text(most=20_000), "answer": text(), "line": NUMBERS,
                "cycle": nullable(integer("Where the line repeats from"))}),
        key="session",
    ),
    Endpoint(
        "POST", "/graphs/trace", "Steps of an algorithm", "graph_views:trace",
        record({**REQUEST, "solver": text("As in zm.trace", most=40),
                "first": integer("The first step", 0), "count": integer("", 1, MOST_STEPS)},
               (*OPTIONAL, "solver", "first", "count")),
        record({"total": integer(), "first": integer(), "before": array(RESULT),
                "steps": array(STEP), "positions": integer()}),
        key="session",
    ),
    Endpoint(
        "POST", "/graphs/summary", "The groups of a large graph", "graph_views:summary",
        record({**REQUEST, **CHOICE}, OPTIONAL),
        record(
            {
                "groups": array(record({"name": text(), "size": integer(),
                                        "counts": mapping(integer())})),
                "links": array(array(integer("", 0), "Two groups and the number of moves", most=3)),
                "places": PLACES,
            }
        ),
        key="session",
    ),
    Endpoint(
        "POST", "/graphs/part", "A part of a large graph", "graph_views:part",
        record({**REQUEST, **CHOICE, "group": nullable(integer("", 0)),
                "position": nullable(text("The name of a position", most=1_000)),
                "most": integer("", 1, MOST_DRAWN)},
               (*OPTIONAL, "group", "position", "most")),
        record({"total": integer(), "picture": PICTURE, "places": PLACES}), key="session",
    ),
    Endpoint(
        "POST", "/graphs/export", "The game as a file", "graph_views:export",
        record({**REQUEST, "to": text("A format, svg or python", most=40), "solved": boolean(),
                "places": nullable(PLACES)}, (*OPTIONAL, "solved", "places")),
        record({"name": text(), "type": text(), "text": text(most=1 << 26), "note": text()}),
        key="session",
    ),
)  # fmt: skip
