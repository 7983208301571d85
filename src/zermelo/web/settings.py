"""What a server may do: its limits, and what it was started with."""

from dataclasses import dataclass, field
from typing import Any, Literal

MIB = 1 << 20


@dataclass(frozen=True)
class Limits:
    """The bounds of one request."""

    body: int = 8 * MIB
    """Bytes of a request."""
    seconds: float = 60.0
    """Seconds of work for one request."""
    memory: int = 2048 * MIB
    """Bytes of data that a worker may have."""
    positions: int = 200_000
    """Positions of a graph that is uploaded."""
    game_positions: int = 5_000_000
    """Positions of a game that is solved on the spot; larger ones need a table."""
    waiting: int = 200
    """Requests that wait for a worker; more are refused."""


@dataclass(frozen=True)
class Served:
    """What the command line named: rules, a table, a graph or a built-in game."""

    kind: Literal["rules", "table", "graph", "game"]
    source: str
    """The path, or the name of the game."""
    name: str
    """What the page calls it; never a path of this machine."""
    rules: str | None = None
    """The rules of a table, if the command line gives them."""
    solved: Any = None
    """A solved game that a notebook shows; nothing is solved again."""


@dataclass(frozen=True)
class Settings:
    """Everything that the server and its workers must know."""

    host: str = "127.0.0.1"
    address: str = ""
    """The number that the host has, if the server listens."""
    port: int = 8642
    token: str | None = None
    """What a client must show if the host is not loopback."""
    workers: int = 2
    served: Served | None = None
    limits: Limits = field(default_factory=Limits)
    own_process: bool = True
    """Whether requests have a process for themselves; in a notebook they share the user's."""
