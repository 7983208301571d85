"""What ``zermelo solve`` shows in a pipe: a tab-separated table, or one JSON object."""

import dataclasses
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import zermelo as zm
from zermelo.cli.inputs.source import Source
from zermelo.cli.output import answers
from zermelo.cli.output.show import plain_name, print_json_rows, print_rows

if TYPE_CHECKING:
    from zermelo.labels import Int64Array
    from zermelo.solutions.machine import Machine


@dataclass(frozen=True)
class Outcome:
    """A solved game: where it came from, what was asked about it, and where it was written."""

    source: "Source"
    solution: "zm.Solution"
    seconds: float
    start: "Hashable | None"
    """The position of ``--start``."""
    line: "Hashable | None"
    explain: "Hashable | None"
    verdict: str | None
    """Whether there is a controller, for a game of synthesis."""
    output: str | None
    interrupted: KeyboardInterrupt | None
    """The interrupt after which a search is incomplete."""
    given: dict[str, Any]
    """The options of the command."""

    def about_start(self) -> "Outcome":
        """The same outcome, in which the start of the game is asked about if no other is."""
        start = self.source.start if self.start is None else self.start
        return dataclasses.replace(self, start=start)

    @property
    def asks(self) -> bool:
        """Whether single answers are asked for, or the rows are already in a file."""
        machine = self.given["machine"]
        asked = (self.start, self.line, self.explain, machine, self.output, self.verdict)
        return self.lists or any(x is not None for x in asked)

    @property
    def lists(self) -> bool:
        """Whether the positions that each player wins are listed."""
        return bool(self.given["winners"] or self.given["strategies"])

    def situations(self, default: int | None = None) -> "Int64Array":
        """The situations that the table shows, at most ``default`` if no number is given."""
        chosen = answers.situations(self.solution, self.given["player"])
        if self.given["everything"]:
            return chosen
        return chosen[: default if self.given["limit"] is None else self.given["limit"]]

    @property
    def machines(self) -> "tuple[Machine, ...]":
        """The two players' strategies with memory; empty if no memory is needed."""
        found: tuple[Machine, ...] = getattr(self.solution, "machines", ())
        return found

    @property
    def reason(self) -> Any:
        """Why the position to be explained has its label."""
        player, depth = self.given["player"], self.given["depth"]
        answers.situation(self.solution, self.explain, player)
        return zm.explain(self.solution, self.explain, player, 3 if depth is None else depth)


def show_plain(outcome: Outcome) -> None:
    """Sections with an empty line between them; a single section when little is asked for."""
    for k, section in enumerate(_sections(outcome)):
        if k:
            print()
        if isinstance(section, str):
            print(section)
        else:
            print_rows(answers.header(outcome.solution), section)


def _sections(outcome: Outcome) -> Iterator[str | Iterator[Sequence[Any]]]:
    """What is asked for: texts, and rows of the table."""
    solution, given, player = outcome.solution, outcome.given, outcome.given["player"]
    if outcome.verdict is not None:
        yield outcome.verdict
    if outcome.lists:
        from zermelo.cli.output.winners import lines

        yield "\n".join(lines(solution, player, strategies=given["strategies"]))
    rows: list[Iterator[Sequence[Any]]] = []
    if outcome.start is not None:
        rows.append(answers.plain_rows(solution, _single(solution, outcome.start, player)))
    if outcome.line is not None:
        answers.situation(solution, outcome.line, player)
        rows.append(answers.line_rows(solution, solution.line(outcome.line, player), player))
    if not outcome.asks or given["everything"] or given["limit"]:
        rows.append(answers.plain_rows(solution, outcome.situations()))
    yield from rows
    if outcome.explain is not None:
        yield str(outcome.reason)
    if given["machine"] is not None:
        yield str(outcome.machines[given["machine"]])


def _single(solution: "zm.Solution", position: "Hashable", player: int | None) -> "Int64Array":
    """The situations at a position: two if they differ and no player is given."""
    import numpy as np

    s = answers.situation(solution, position, player)
    both = solution.doubled and player is None
    return np.array([s, s + 1] if both else [s], np.int64)


def show_json(outcome: Outcome, *, one_line: bool = False) -> None:
    """One JSON object with a summary, what was asked for, and the rows."""
    rows = answers.records(outcome.solution, outcome.situations())
    print_json_rows(_head(outcome), "positions", rows, one_line=one_line)


def _head(outcome: Outcome) -> dict[str, Any]:
    """The JSON object without the rows."""
    from zermelo.cli.solving.info import graph_record
    from zermelo.solutions.weighted_play import collected, json_value

    solution, given, player = outcome.solution, outcome.given, outcome.given["player"]
    graph = solution.graph
    data = solution.objective.spec(graph)
    head: dict[str, Any] = {
        "file": outcome.source.text,
        "graph": graph_record(graph),
        "objective": data.pop("objective"),
        "objective_data": data,
        "solver": solution.solver,
        "verified": given["verify"],
        "counts": {k: None if x < 0 else x for k, x in solution.counts().items()},
    }
    if outcome.verdict is not None:
        head["realizable"] = outcome.verdict == "REALIZABLE"
    if solution.stats:
        head["stats"] = {k: _jsonable(x) for k, x in solution.stats.items()}
    if outcome.start is not None:
        answers.situation(solution, outcome.start, player)
        both = solution.doubled and player is None
        found = [solution.at(outcome.start, e) for e in ((0, 1) if both else (player,))]
        head["start"] = [answers.answer_record(solution, x) for x in found]
    if outcome.lists:
        from zermelo.cli.output.winners import record

        head |= record(solution, player, strategies=given["strategies"])
    if outcome.line is not None:
        answers.situation(solution, outcome.line, player)
        line = solution.line(outcome.line, player)
        head["line"] = {"positions": [plain_name(x) for x in line], "cycle": line.cycle}
        if (sums := collected(solution, line)) is not None:
            mean = None if sums.mean is None else json_value(sums.mean)
            head["line"] |= {"weights": sums.weights, "mean": mean}
    if outcome.explain is not None:
        head["explanation"] = outcome.reason.to_dict()
    if both_machines := outcome.machines:
        head["memory_states"] = [len(machine) for machine in both_machines]
    if given["machine"] is not None:
        from zermelo.formats.common.machine import machine_to_plain

        plain = machine_to_plain(both_machines[given["machine"]])
        head["machine"] = {"player": given["machine"], **plain}
    return head


def _jsonable(x: Any) -> Any:
    if dataclasses.is_dataclass(x) and not isinstance(x, type):
        return dataclasses.asdict(x)
    if hasattr(x, "tolist"):
        return x.tolist()
    return x if isinstance(x, int | float | str) else str(x)
