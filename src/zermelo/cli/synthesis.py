"""Games of synthesis: whether there is a controller, and the controller as a file."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from zermelo.cli.files import check_output, shown
from zermelo.cli.objective import Wish

if TYPE_CHECKING:
    from zermelo.cli.solve import Outcome
    from zermelo.cli.source import Source
    from zermelo.solutions.base import Solution

SYSTEM = 1
"""The player who chooses the outputs; player 0 is the environment."""


def verdict_of(source: "Source", solution: "Solution") -> str | None:
    """``REALIZABLE`` if the system wins from the initial state, else ``UNREALIZABLE``."""
    if source.start is None:
        return None
    winner = int(solution.winner[source.graph.index(source.start)])
    return "REALIZABLE" if winner == SYSTEM else "UNREALIZABLE"


def check_controller(path: str, inputs: Iterable[str | None], force: bool) -> None:
    """Refuse a file for the controller that cannot or should not be written."""
    from zermelo.formats._compression import split_suffix

    if path != "-" and not split_suffix(path)[0].lower().endswith(".hoa"):
        raise click.BadParameter(
            f"expected a file that ends with .hoa, got {path!r}", param_hint="--controller"
        )
    check_output(path, "graph", inputs, force)


def require_synthesis(source: "Source", wish: Wish) -> None:
    """Refuse a game that has no inputs and outputs, or another objective than its own."""
    if source.game.synthesis is None or source.start is None:
        raise click.UsageError(
            "--controller is for automata of synthesis: an HOA file with the headers Start: and "
            f"controllable-AP:, which {shown(source.text)} does not have"
        )
    if wish != Wish():
        raise click.UsageError(
            "--controller is for the acceptance condition of the file, not for a game of another "
            "objective"
        )
    if source.game.synthesis.place is None:
        raise click.UsageError(
            "--controller is for automata of synthesis, and "
            f"{shown(source.text)} is a game in which spot-state-player: says who moves"
        )


def write_controller(outcome: "Outcome", path: str) -> int:
    """Write the controller; if there is none, say so, with the exit status 1."""
    from zermelo._runtime.files import write_bytes
    from zermelo.formats._compression import compress, split_suffix
    from zermelo.formats._hoa_controller import controller_of

    if outcome.verdict != "REALIZABLE":
        from zermelo.cli.main import say

        say(
            f"{shown(outcome.source.text)} is unrealizable: the environment wins from the initial "
            "state, so there is no controller to write"
        )
        return 1
    data = controller_of(outcome.source.game, outcome.solution).to_hoa().encode()
    write_bytes(compress(data, split_suffix(path)[1]), path)
    return 0
