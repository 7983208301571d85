"""What a check tried, and the error with which it ends."""

import contextlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NoReturn

from zermelo.errors import ContractError, InvalidOptionError
from zermelo.game import Game


@dataclass
class Report:
    """What a check tried: ``subject`` is the extension, ``tried`` counts by what was done."""

    subject: str
    tried: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        done = ", ".join(f"{count:,} {what}" for what, count in self.tried.items())
        return f"{self.subject} holds: {done}"

    def fail(self, fault: str, code: str = "", cause: BaseException | None = None) -> NoReturn:
        """End the check with a sentence, and a line of Python that shows the fault."""
        shown = f"; to see it: {code}" if code else ""
        raise ContractError(f"{self.subject}: {fault}{shown}", code) from cause

    @contextlib.contextmanager
    def calling(self, what: str, code: str = "") -> Iterator[None]:
        """A context that calls the extension: any exception in it ends the check as a fault."""
        try:
            yield
        except ContractError:
            raise
        except Exception as error:
            self.fail(f"{what} raises {type(error).__name__}: {error}", code, error)


def check_count(name: str, count: Any, least: int = 1) -> None:
    """Refuse a number of games that is none."""
    if not isinstance(count, int) or isinstance(count, bool) or count < least:
        raise InvalidOptionError(f"{name}: expected a whole number from {least}, got {count!r}")


def code_of(game: Game, call: str = "zm.solve(g, {objective})") -> str:
    """One line of Python that makes a game and does something with it.

    >>> from zermelo import Buchi, Graph
    >>> code_of(Game(Graph.from_edges([(0, 1)], owner=[0, 1]), Buchi([1])))
    "import zermelo as zm; g = zm.Graph.from_edges([[0, 1]], n=2, owner=[0, 1]); zm.solve(g, \
zm.Buchi.from_spec({'objective': 'buchi', 'positions': [1], 'player': 0}, g))"
    """
    graph, objective = game
    kind, spec = type(objective), objective.spec(graph)
    first, name = "import zermelo as zm", kind.__name__
    if kind.__module__.startswith("zermelo.objectives."):
        name = f"zm.{name}"
    else:
        first += f"; from {kind.__module__} import {name}"
    made = f"{name}()" if len(spec) == 1 else f"{name}.from_spec({spec}, g)"
    owner = "" if graph.owner is None else f", owner={graph.owner.tolist()}"
    names = "" if graph.names is None else f".with_names({list(graph.names)})"
    edges: Any = graph.to_edges().tolist()
    rest = call.replace("{objective}", made)
    return f"{first}; g = zm.Graph.from_edges({edges}, n={graph.n}{owner}){names}; {rest}"
