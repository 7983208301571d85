"""What this server is: its version, its limits, and what it was started with."""

from typing import Any

from zermelo._version import __version__
from zermelo.web.endpoints import Call, Endpoint
from zermelo.web.schema import integer, nullable, number, one_of, record, text


def about(call: Call) -> dict[str, Any]:
    """The version, the limits, and the game, table or graph named on the command line."""
    limits, served = call.settings.limits, call.settings.served
    return {
        "name": "zermelo",
        "version": __version__,
        "limits": {
            "body": limits.body,
            "seconds": limits.seconds,
            "positions": limits.positions,
            "game_positions": limits.game_positions,
        },
        "served": served and {"kind": served.kind, "name": served.name},
    }


SERVED = record({"kind": one_of(["rules", "table", "graph", "game"]), "name": text()})

ENDPOINTS = (
    Endpoint(
        "GET",
        "/about",
        "The version and the limits of this server",
        "about:about",
        record({}),
        record(
            {
                "name": text(),
                "version": text(),
                "limits": record(
                    {
                        "body": integer("Bytes of a request"),
                        "seconds": number("Seconds of work for one request"),
                        "positions": integer("Positions of a graph"),
                        "game_positions": integer("Positions of a game that is solved here"),
                    }
                ),
                "served": nullable(SERVED),
            }
        ),
    ),
)
