"""``zermelo synthesize``: realizable or not, and the machine that shows it."""

import time
from dataclasses import dataclass
from typing import Any

import click

import zermelo as zm
from zermelo.cli.complete import machine_formats
from zermelo.cli.deadline import Deadline
from zermelo.cli.inputs.files import check_output, name_of, read_game
from zermelo.cli.options import FILE, FORCE, FORMAT, JSON, OPTION, SOLVER, TIMEOUT, flag, option
from zermelo.cli.output import show
from zermelo.cli.output.progress import Meter
from zermelo.cli.solving.options import solver_options
from zermelo.errors import CertificateError, InvalidOptionError
from zermelo.registry import choose_solver
from zermelo.registry.machines import MachineRow, machine_row

PLAYERS = ("environment", "system")


@click.command()
@FILE
@option(
    "-o --output", "FILE",
    "Write the machine: .aag or .aig (AIGER), .hoa, .dot, .json, .py, .c; .gz, .bz2, .xz and .zst "
    "compress; - is standard output, and needs --to.", type=click.Path(allow_dash=True),
)  # fmt: skip
@option(
    "--to", "FORMAT", "The format of --output, if the name of the file does not show it.",
    machine_formats,
)  # fmt: skip
@flag("--counterstrategy", "If FILE is unrealizable, construct the machine of the environment.")
@option(
    "--minimize/--no-minimize", None,
    "Merge states that do the same (bisimulation); the default is to do so.", default=True,
)  # fmt: skip
@option(
    "--check/--no-check", None,
    "Check the circuit against the game before it is written; the default is to do so.",
    default=True,
)  # fmt: skip
@SOLVER
@OPTION
@FORCE
@TIMEOUT
@FORMAT
@JSON
@flag("-q --quiet", "Print nothing; the exit status tells.")
def command(file: str, **given: Any) -> int:
    """Say whether the specification in FILE is REALIZABLE or UNREALIZABLE, and write a controller.

    FILE is a game in the extended HOA format, with the headers Start: and controllable-AP:. The
    environment chooses the propositions that are not controllable, the inputs; the system chooses
    the others, the outputs, and wants the acceptance condition to hold. The exit status is 0 if the
    specification is realizable, 1 if it is not, and 2 if FILE is no game of synthesis.

    The controller is a Mealy machine: in each step it answers the inputs with outputs. It has as
    few states as its behaviour needs. Before it is written, its circuit is checked against the game
    by code that shares nothing with the solver.

    \b
    zermelo synthesize arbiter.ehoa
    zermelo synthesize arbiter.ehoa -o controller.aag
    zermelo synthesize arbiter.ehoa -o - --to c
    zermelo synthesize unrealizable.ehoa --counterstrategy -o environment.aag
    zermelo verify arbiter.ehoa controller.aag
    """
    row = _check_options(file, given)
    outcome = _run(file, given, row)
    if row is not None and outcome.data is not None:
        from zermelo._runtime.files import write_bytes
        from zermelo.formats.common.compression import compress, split_suffix

        path = given["output"]
        write_bytes(compress(outcome.data, "" if path == "-" else split_suffix(path)[1]), path)
        show.note_written(path)
    elif row is not None:
        _explain(file, outcome)
    if not given["quiet"] and given["output"] != "-":
        _show(file, outcome, given)
    return 0 if outcome.synthesis.realizable else 1


@dataclass(frozen=True)
class _Outcome:
    """The answer, what was constructed, and the seconds of each stage."""

    synthesis: "zm.Synthesis"
    built: bool
    pairs: int | None
    """How many pairs of states of game and circuit occur, if the circuit was checked."""
    gates: tuple[int, int] | None
    data: bytes | None
    seconds: dict[str, float]

    @property
    def verdict(self) -> str:
        return "REALIZABLE" if self.synthesis.realizable else "UNREALIZABLE"


def _check_options(file: str, given: dict[str, Any]) -> "MachineRow | None":
    """Refuse options that do not go together; return the format of the machine."""
    if given["as_json"] and given["quiet"]:
        raise click.UsageError("expected --json or --quiet, got both")
    if given["output"] is None:
        for name in ("to", "force"):
            if given[name]:
                raise click.UsageError(f"--{name} goes with --output")
        return None
    if given["output"] == "-" and given["as_json"]:
        raise click.UsageError("--json does not go with --output -, which prints the machine alone")
    from zermelo.formats.common.compression import split_suffix

    path = None if given["output"] == "-" else split_suffix(given["output"])[0]
    row = machine_row(path, given["to"])
    kind = "graph" if row.name == "hoa" else "machine"
    check_output(given["output"], kind, (file,), given["force"], format_=row.name)
    return row


def _run(file: str, given: dict[str, Any], row: "MachineRow | None") -> _Outcome:
    """Read, solve, construct, check; within the time that ``--timeout`` gives."""
    with Meter() as meter, Deadline(given["timeout"], name_of(file), meter.close):
        laps = _Laps(meter)
        laps.begin("reading")
        game = read_game(file, given["format_"])
        if game.synthesis is None:
            raise click.UsageError(
                f"{name_of(file)} is no game of synthesis: expected a file in HOA with the headers "
                "Start: and controllable-AP:, which say where play starts and who chooses what"
            )
        laps.begin("solving")
        solver = choose_solver(game.objective, given["solver"])
        options = solver_options(solver, {**given, "passes": (), "nodes": None, "quotient": None})
        synthesis = zm.synthesize(
            game, solver.name, minimize=given["minimize"], progress=meter, **options
        )
        pairs = gates = data = None
        built = synthesis.realizable or given["counterstrategy"]
        if built:
            laps.begin("constructing")
            machine = synthesis.unminimized
            laps.begin("minimizing")
            machine = synthesis.machine
            if given["check"]:
                laps.begin("checking")
                text = machine.to("aag")
                pairs = _checked(file, synthesis, text)
                sizes = text.split(b"\n", 1)[0].split()
                gates = int(sizes[3]), int(sizes[5])
            if row is not None and synthesis.realizable != given["counterstrategy"]:
                laps.begin("writing")
                data = row.load()(machine)
        laps.end()
    return _Outcome(synthesis, built, pairs, gates, data, laps.seconds)


def _checked(file: str, synthesis: "zm.Synthesis", text: bytes) -> int:
    """Check the circuit; a failure is no answer, so its exit status is not that of one."""
    try:
        return synthesis.check_circuit(text)
    except CertificateError as error:
        raise InvalidOptionError(
            f"{name_of(file)}: the circuit of the {PLAYERS[synthesis.winner]} does not pass the "
            f"check ({error}); --no-check leaves the check out"
        ) from None


class _Laps:
    """The seconds of the stages of a computation."""

    def __init__(self, meter: "Meter") -> None:
        self.seconds: dict[str, float] = {}
        self._meter, self._stage, self._since = meter, "", 0.0

    def begin(self, stage: str) -> None:
        """A stage begins, and the one before it ends."""
        self.end()
        self._meter.stage(stage)
        self._stage, self._since = stage, time.perf_counter()

    def end(self) -> None:
        """The last stage ends."""
        if self._stage:
            self.seconds[self._stage] = time.perf_counter() - self._since


def _explain(file: str, outcome: _Outcome) -> None:
    """Say why no machine is written."""
    if outcome.synthesis.realizable:
        show.say(
            f"{name_of(file)} is realizable: the environment has no machine that wins, so "
            "--counterstrategy has nothing to write"
        )
    else:
        show.say(
            f"{name_of(file)} is unrealizable: the environment wins from the initial state, so "
            "there is no controller to write; --counterstrategy writes the machine of the "
            "environment"
        )


def _show(file: str, outcome: _Outcome, given: dict[str, Any]) -> None:
    """The verdict and, if a machine was constructed, its size."""
    synthesis = outcome.synthesis
    if given["as_json"]:
        output = given["output"] if outcome.data is not None else None
        show.print_json(_record(file, outcome, output))
        return
    if not show.on_terminal():
        print(outcome.verdict)
        if outcome.built:
            for name, value in _sizes(outcome).items():
                print(f"{name}\t{show.field(value)}")
        return
    facts = [
        ("game", f"{name_of(file)}, {show.graph_size(synthesis.game.graph)}"),
        ("answer", f"{outcome.verdict}: the {PLAYERS[synthesis.winner]} wins"),
    ]
    if outcome.built:
        machine, before = synthesis.machine, len(synthesis.unminimized)
        smaller = f" ({before:,} before minimizing)" if given["minimize"] else ""
        states, inputs = show.count(len(machine), "state"), show.count(len(machine.inputs), "input")
        outputs = show.count(len(machine.outputs), "output")
        facts.append(("machine", f"{states}{smaller}, {inputs}, {outputs}"))
        if outcome.gates is not None and outcome.pairs is not None:
            latches, gates = outcome.gates
            many = "latch" if latches == 1 else "latches"
            facts.append((
                "circuit",
                f"{latches:,} {many}, {show.count(gates, 'gate')}; checked in the game "
                f"({show.count(outcome.pairs, 'pair')} of states)",
            ))  # fmt: skip
    parts = ("reading", "solving", "machine", "checking")
    spent = dict.fromkeys(parts, 0.0)
    for stage, seconds in outcome.seconds.items():
        spent[stage if stage in spent else "machine"] += seconds
    facts.append(("time", ", ".join(f"{k} {show.duration(t)}" for k, t in spent.items() if t)))
    show.print_facts(facts)


def _sizes(outcome: _Outcome) -> dict[str, Any]:
    """The sizes of the machine."""
    machine = outcome.synthesis.machine
    found: dict[str, Any] = {
        "machine": PLAYERS[machine.player],
        "states": len(machine),
        "states_before": len(outcome.synthesis.unminimized),
        "inputs": len(machine.inputs),
        "outputs": len(machine.outputs),
    }
    if outcome.gates is not None:
        found |= {"latches": outcome.gates[0], "gates": outcome.gates[1]}
    return {**found, "checked": outcome.pairs is not None}


def _record(file: str, outcome: _Outcome, output: str | None) -> dict[str, Any]:
    """The answer for JSON."""
    synthesis = outcome.synthesis
    return {
        "file": file,
        "realizable": synthesis.realizable,
        "solver": synthesis.solution.solver,
        "machine": _sizes(outcome) if outcome.built else None,
        "output": output,
        "seconds": {name: round(t, 6) for name, t in outcome.seconds.items()},
    }
