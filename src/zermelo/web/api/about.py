"""What this server is: its version, its limits, and what it was started with."""

from typing import Annotated, Literal, TypedDict

from msgspec import Meta

from zermelo._version import __version__
from zermelo.web.api.call import Call
from zermelo.web.api.schema import Integer, Nothing, Text


class ServerLimits(TypedDict):
    """The bounds of one request, and of the games in it."""

    body: Annotated[Integer, Meta(description="Bytes of a request")]
    seconds: Annotated[float, Meta(description="Seconds of work for one request")]
    positions: Annotated[Integer, Meta(description="Positions of a graph")]
    game_positions: Annotated[Integer, Meta(description="Positions of a game that is solved here")]


class ServedFile(TypedDict):
    """What the command line named."""

    kind: Literal["rules", "table", "graph", "game"]
    name: Text


class About(TypedDict):
    """What this server is."""

    name: Text
    version: Text
    limits: ServerLimits
    served: ServedFile | None


def about(call: Call[Nothing]) -> About:
    """The version and the limits of this server, and what the command line named."""
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
        "served": None if served is None else {"kind": served.kind, "name": served.name},
    }
