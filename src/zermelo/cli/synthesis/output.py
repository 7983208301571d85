"""Games of synthesis: whether there is a controller, the controller as a file, and its check."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

import zermelo as zm
from zermelo.cli.inputs.files import check_output, name_of
from zermelo.cli.inputs.objective import Wish
from zermelo.cli.inputs.source import Source
from zermelo.cli.output.show import say
from zermelo.errors import FormatError, InvalidOptionError

if TYPE_CHECKING:
    from zermelo.cli.solving.plain import Outcome

SYSTEM = 1
"""The player who chooses the outputs; player 0 is the environment."""


def verdict_of(source: "Source", solution: "zm.Solution") -> str | None:
    """``REALIZABLE`` if the system wins from the initial state, else ``UNREALIZABLE``."""
    if source.start is None:
        return None
    winner = int(solution.winner[source.graph.index(source.start)])
    return "REALIZABLE" if winner == SYSTEM else "UNREALIZABLE"


def check_controller(path: str, inputs: Iterable[str | None], force: bool) -> None:
    """Refuse a file for the controller that cannot or should not be written."""
    from zermelo.formats.common.compression import split_suffix

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
            f"controllable-AP:, which {name_of(source.text)} does not have"
        )
    if wish != Wish():
        raise click.UsageError(
            "--controller is for the acceptance condition of the file, not for a game of another "
            "objective"
        )


def write_controller(outcome: "Outcome", path: str) -> int:
    """Write the controller; if there is none, say so, with the exit status 1."""
    from zermelo._runtime.files import write_bytes
    from zermelo.formats.common.compression import compress, split_suffix
    from zermelo.synthesis.text import to_hoa

    if outcome.verdict != "REALIZABLE":
        say(
            f"{name_of(outcome.source.text)} is unrealizable: the environment wins from the "
            "initial state, so there is no controller to write"
        )
        return 1
    game = outcome.source.game
    machine = zm.Synthesis(game, outcome.solution).machine
    text = to_hoa(machine, tuple(game.synthesis.automaton.names))
    write_bytes(compress(text.encode(), split_suffix(path)[1]), path)
    return 0


def is_circuit(path: str) -> bool:
    """Whether a file is a circuit by its name."""
    from zermelo.formats.common.compression import split_suffix

    return split_suffix(path)[0].lower().endswith((".aag", ".aig"))


def check_circuit_file(game: "zm.Game", path: str) -> tuple[int, int]:
    """Check a circuit against a game of synthesis; return its player and the number of pairs.

    A circuit that reads the outputs of the system and sets its inputs plays for the environment.
    """
    from zermelo._runtime.files import read_bytes
    from zermelo.formats.common.compression import decompress, split_suffix
    from zermelo.verify.common.aiger import read_circuit

    if game.synthesis is None:
        raise InvalidOptionError(
            f"{name_of(path)} is a circuit, which belongs to a game of synthesis: expected a file "
            "in HOA with the headers Start: and controllable-AP:"
        )
    try:
        data = decompress(read_bytes(path), split_suffix(path)[1])
        circuit = read_circuit(data)
    except FormatError as error:
        raise error.at(name_of(path)) from None
    automaton = game.synthesis.automaton
    system = {automaton.names[x] for x in automaton.controllable}
    player = SYSTEM if set(circuit.inputs).isdisjoint(system) else 1 - SYSTEM
    return player, zm.check_circuit(game, data, player)
