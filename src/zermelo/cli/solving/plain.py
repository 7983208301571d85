"""What ``zermelo solve`` shows in a pipe: a tab-separated table, or one JSON object."""

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from zermelo.cli.output.show import plain_name, print_json_rows, print_rows

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from zermelo.labels import Int64Array
    from zermelo.solutions.base import Solution
    from zermelo.solutions.machine import Machine


@dataclass(frozen=True)
class Request:
    """What to show of a solution."""

    file: str
    player: int | None
    start: "Hashable | None"
    line: "Hashable | None"
    explain: "Hashable | None"
    depth: int | None
    limit: int | None
    everything: bool
    seconds: float
    verified: bool
    machine: int | None = None
    output: str | None = None
    winners: bool = False
    strategies: bool = False
    verdict: str | None = None

    @property
    def asks(self) -> bool:
        """Whether single answers are asked for, or the rows are already in a file."""
        asked = (self.start, self.line, self.explain, self.machine, self.output, self.verdict)
        return self.lists or any(x is not None for x in asked)

    @property
    def lists(self) -> bool:
        """Whether the positions that each player wins are listed."""
        return self.winners or self.strategies

    @property
    def rows(self) -> bool:
        """Whether a table of positions is shown although something else is asked for."""
        return self.everything or bool(self.limit)


def chosen_situations(
    solution: "Solution", request: Request, few: int | None = None
) -> "Int64Array":
    """The situations that the table shows, by default at most ``few`` of them."""
    from zermelo.cli.output.answers import situations

    chosen = situations(solution, request.player)
    if request.everything:
        return chosen
    return chosen[: few if request.limit is None else request.limit]


def machines(solution: "Solution") -> "tuple[Machine, ...]":
    """The two players' strategies with memory; empty if no memory is needed."""
    found: tuple[Machine, ...] = getattr(solution, "machines", ())
    return found


def reason(solution: "Solution", request: Request) -> Any:
    """Why the position to be explained has its label."""
    from zermelo.cli.output.answers import situation
    from zermelo.trace import explain

    situation(solution, request.explain, request.player)
    depth = 3 if request.depth is None else request.depth
    return explain(solution, request.explain, request.player, depth)


def show_plain(solution: "Solution", request: Request) -> None:
    """Sections with an empty line between them; a single section when little is asked for."""
    from zermelo.cli.output import answers

    columns, player = answers.header(solution), request.player
    rows: list[Iterator[list[object]]] = []
    sections = 0
    if request.verdict is not None:
        sections += 1
        print(request.verdict)
    if request.lists:
        from zermelo.cli.output.winners import lines

        if sections:
            print()
        sections += 1
        for text in lines(solution, player, strategies=request.strategies):
            print(text)
    if request.start is not None:
        single = _single(solution, request.start, player)
        rows.append(answers.plain_rows(solution, single))
    if request.line is not None:
        answers.situation(solution, request.line, player)
        line = solution.line(request.line, player)
        rows.append(answers.line_rows(solution, line, player))
    if not request.asks or request.rows:
        rows.append(answers.plain_rows(solution, chosen_situations(solution, request)))
    for part in rows:
        if sections:
            print()
        sections += 1
        print_rows(columns, part)
    if request.explain is not None:
        if sections:
            print()
        print(reason(solution, request))
    if request.machine is not None:
        if sections:
            print()
        print(machines(solution)[request.machine])


def _single(solution: "Solution", position: "Hashable", player: int | None) -> "Int64Array":
    """The situations at a position: two if they differ and no player is given."""
    import numpy as np

    from zermelo.cli.output.answers import situation

    s = situation(solution, position, player)
    both = solution.doubled and player is None
    return np.array([s, s + 1] if both else [s], np.int64)


def show_json(solution: "Solution", request: Request, *, one_line: bool = False) -> None:
    """One JSON object with a summary, what was asked for, and the rows."""
    from zermelo.cli.output.answers import records

    rows = records(solution, chosen_situations(solution, request))
    print_json_rows(_head(solution, request), "positions", rows, one_line=one_line)


def _head(solution: "Solution", request: Request) -> dict[str, Any]:
    """The JSON object without the rows."""
    from zermelo.cli.output import answers
    from zermelo.cli.solving.info import graph_record
    from zermelo.solutions.weighted_play import collected, json_value

    graph = solution.graph
    data = solution.objective.spec(graph)
    head: dict[str, Any] = {
        "file": request.file,
        "graph": graph_record(graph),
        "objective": data.pop("objective"),
        "objective_data": data,
        "solver": solution.solver,
        "verified": request.verified,
        "counts": answers.counts_record(solution),
    }
    if request.verdict is not None:
        head["realizable"] = request.verdict == "REALIZABLE"
    if solution.stats:
        head["stats"] = {k: _jsonable(x) for k, x in solution.stats.items()}
    if request.start is not None:
        player = request.player
        if solution.doubled and player is None:
            found = [solution.at(request.start, e) for e in (0, 1)]
        else:
            answers.situation(solution, request.start, player)
            found = [solution.at(request.start, player)]
        head["start"] = [answers.answer_record(solution, x) for x in found]
    if request.lists:
        from zermelo.cli.output.winners import record

        head |= record(solution, request.player, strategies=request.strategies)
    if request.line is not None:
        answers.situation(solution, request.line, request.player)
        line = solution.line(request.line, request.player)
        head["line"] = {"positions": [plain_name(x) for x in line], "cycle": line.cycle}
        if (sums := collected(solution, line)) is not None:
            mean = None if sums.mean is None else json_value(sums.mean)
            head["line"] |= {"weights": sums.weights, "mean": mean}
    if request.explain is not None:
        head["explanation"] = reason(solution, request).to_dict()
    if both := machines(solution):
        head["memory_states"] = [len(machine) for machine in both]
    if request.machine is not None:
        from zermelo.formats.common.machine import machine_to_plain

        plain = machine_to_plain(both[request.machine])
        head["machine"] = {"player": request.machine, **plain}
    return head


def _jsonable(x: Any) -> Any:
    if dataclasses.is_dataclass(x) and not isinstance(x, type):
        return dataclasses.asdict(x)
    if hasattr(x, "tolist"):
        return x.tolist()
    return x if isinstance(x, int | float | str) else str(x)
