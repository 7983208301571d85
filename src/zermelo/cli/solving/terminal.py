"""What ``zermelo solve`` shows on a terminal: a summary, the answer asked for, a table."""

from typing import TYPE_CHECKING, Any

from zermelo.cli.options import MAX_ROWS
from zermelo.cli.output import answers
from zermelo.cli.output.listing import LABEL_STYLES
from zermelo.cli.output.show import console, count, duration, rich_table
from zermelo.cli.solving.plain import Request, chosen_situations, machines, reason
from zermelo.registry import objective_row

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from zermelo.solutions.answers import Answer, Line
    from zermelo.solutions.base import Solution

BAR = 24
"""Columns of the bar that stands for all positions."""

LONG_LINE = 60
"""The number of moves of best play that ``--start`` shows."""

MANY_MOVES = 6
"""Best moves that a table lists."""


def show(solution: "Solution", request: Request) -> None:
    """Print everything."""
    out = console()
    _summary(out, solution, request)
    if request.verdict is not None:
        _verdict_of_synthesis(out, request.verdict)
    if request.start is not None:
        _start(out, solution, request)
    if request.lists:
        from rich.text import Text

        from zermelo.cli.output.winners import lines

        out.print()
        for text in lines(solution, request.player, strategies=request.strategies):
            out.print(Text(text))
    if request.line is not None:
        _line(out, solution, request)
    if request.explain is not None:
        from rich.text import Text

        out.print()
        out.print(Text(str(reason(solution, request))))
    if request.machine is not None:
        from rich.text import Text

        out.print()
        out.print(Text(str(machines(solution)[request.machine])))
    _table(out, solution, request)


def _summary(out: "Console", solution: "Solution", request: Request) -> None:
    from rich.table import Table
    from rich.text import Text

    graph = solution.graph
    kind = "players alternate" if graph.owner is None else "positions have owners"
    sizes = (
        f"{count(graph.n, 'position')}, {count(graph.m, 'move')}, "
        f"{count(graph.terminals.size, 'terminal')}; {kind}"
    )
    proof = ", verified" if request.verified else ""
    facts = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    facts.add_column(style="dim", no_wrap=True)
    facts.add_column()
    facts.add_row("game", Text(request.file if request.file != "-" else "(standard input)", "bold"))
    facts.add_row("graph", sizes)
    facts.add_row("objective", Text(solution.objective.describe(graph)))
    facts.add_row("solver", f"{solution.solver}, {duration(request.seconds)}{proof}")
    out.print(facts)
    out.print()
    _counts(out, solution)


def _counts(out: "Console", solution: "Solution") -> None:
    from rich.table import Table
    from rich.text import Text

    counts = solution.counts()
    total = max(counts["positions"], 1)
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for justify in ("left", "right", "right", "left", "left"):
        table.add_column(justify=justify, no_wrap=True)
    for key in ("win", "lose", "tie", "draw"):
        k = counts[key]
        if not k and (key == "tie" or (key == "draw" and not _ends(solution))):
            continue
        style = LABEL_STYLES.get(key.upper(), LABEL_STYLES["DRAW"])
        remark = {"tie": "drawn at an end", "draw": "best play never ends"}.get(key, "")
        if key == "draw" and answers.has_weights(solution):
            remark = "value 0"
        if key in ("win", "lose") and k:
            plies = counts[f"longest_{key}"]
            remark = f"longest {plies:,} {'ply' if plies == 1 else 'plies'}"
            if plies < 0:
                remark = "by infinite play" if _ends(solution) else ""
        bar = Text("━" * round(BAR * k / total), style)
        bar.append("─" * (BAR - len(bar)), "bright_black")
        table.add_row(
            Text(key.upper(), f"bold {style}"), f"{k:,}", f"{100 * k / total:.1f} %", bar,
            Text(remark if k else "", "dim"),
        )  # fmt: skip
    out.print(table)
    if undecided := counts.get("undecided"):
        out.print(f"{undecided:,} UNDECIDED: not asked about, or given up", style="dim")
    if solution.graph.owner is not None and not _ends(solution):
        zero, one = ((solution.winner == e).sum() for e in (0, 1))
        out.print(f"player 0 wins from {zero:,}, player 1 from {one:,}", style="dim")
    if both := machines(solution):
        zero, one = (count(len(machine), "memory state") for machine in both)
        out.print(f"player 0 plays with {zero}, player 1 with {one}", style="dim")
    if solution.doubled:
        out.print("counted by position and player to move", style="dim")


def _verdict_of_synthesis(out: "Console", verdict: str) -> None:
    from rich.text import Text

    winner, other = ("the system (player 1)", "the environment (player 0)")
    if verdict != "REALIZABLE":
        winner, other = other, winner
    body = Text(verdict, f"bold {LABEL_STYLES['WIN' if verdict == 'REALIZABLE' else 'LOSE']}")
    body.append(f": {winner} wins from the initial state against {other}")
    out.print()
    out.print(body)


def _start(out: "Console", solution: "Solution", request: Request) -> None:
    from rich.panel import Panel
    from rich.text import Text

    both = solution.doubled and request.player is None
    for player in (0, 1) if both else (request.player,):
        answers.situation(solution, request.start, player)
        answer = solution.at(request.start, player)
        line = solution.line(request.start, player, LONG_LINE)
        body = _verdict(solution, answer)
        if len(line) > 1:
            more = " → …" if line.cycle is None and len(line) > LONG_LINE else ""
            body.append(f"\n{line}{more}", "dim")
            if sums := _sums(solution, line):
                body.append(f"\n{sums}", "dim")
        who = "" if answer.player is None else f", player {int(answer.player)} to move"
        title = Text(f"{answer.position}{who}", "bold")
        out.print()
        out.print(
            Panel(
                body,
                title=title,
                title_align="left",
                border_style=LABEL_STYLES.get(answer.outcome.upper(), "yellow"),
                expand=False,
            )
        )


def _sums(solution: "Solution", line: "Line") -> str:
    """What a line of play collects in a game with weights; empty in other games."""
    from zermelo.solutions.weighted_play import collected

    sums = collected(solution, line)
    return "" if sums is None else str(sums)


def _verdict(solution: "Solution", answer: "Answer") -> "Text":
    from rich.text import Text

    body = Text(_label(answer), f"bold {LABEL_STYLES.get(answer.outcome.upper(), 'yellow')}")
    if answer.forced_distance >= 0:
        body.append(f" in {answer.forced_distance}")
    if answers.has_weights(solution):
        body.append(answers.weighted_verdict(solution, answer))
    elif answer.value not in (-1, 0, 1, None):
        body.append(f", worth {answer.value}")
    if answer.best_moves:
        body.append(f" by {_moves(answer)}")
    if answer.winner is not None:
        body.append(f"; player {int(answer.winner)} wins")
    return body


def _label(answer: "Answer") -> str:
    """The label, or that nothing is known."""
    return "UNKNOWN" if answer.outcome == "unknown" else answer.label.name


def _moves(answer: "Answer") -> str:
    some = ", ".join(map(str, answer.best_moves[:MANY_MOVES]))
    more = len(answer.best_moves) - MANY_MOVES
    return f"{some}, … {more} more" if more > 0 else some


def _line(out: "Console", solution: "Solution", request: Request) -> None:
    player = request.player
    answers.situation(solution, request.line, player)
    line = solution.line(request.line, player)
    if answers.past_matters(solution):
        table = rich_table(("ply", {"justify": "right", "style": "dim"}), "position", "label")
        for k, label in enumerate(answers.past_labels(solution, line)):
            table.add_row(str(k), str(line[k]), label)
        out.print()
        out.print(table)
        return
    places = answers.line_situations(solution, line, player)
    table = rich_table(("ply", {"justify": "right", "style": "dim"}), *_columns(solution))
    for k, row in enumerate(places.tolist()):
        table.add_row(str(k), *_cells(solution, row))
    out.print()
    out.print(table)
    if line.cycle is not None:
        out.print(f"play repeats for ever from ply {line.cycle}", style="dim")
    if sums := _sums(solution, line):
        out.print(sums, style="dim")


def _table(out: "Console", solution: "Solution", request: Request) -> None:
    asked = (request.line, request.explain, request.machine)
    few = MAX_ROWS if all(x is None for x in asked) and not request.lists else 0
    chosen = chosen_situations(solution, request, few)
    total = answers.situations(solution, request.player).size
    if chosen.size:
        table = rich_table(*_columns(solution))
        start = None if request.start is None else solution.graph.index(request.start)
        for s in chosen.tolist():
            v = s >> int(solution.doubled)
            table.add_row(*_cells(solution, s), style="reverse" if v == start else None)
        out.print()
        out.print(table)
    if 0 < chosen.size < total:
        out.print(
            f"… and {total - chosen.size:,} more; --all shows every position, "
            "--output FILE writes them",
            style="dim",
        )


def _ends(solution: "Solution") -> bool:
    """Whether answers have distances, and draws mean something."""
    return objective_row(solution.objective).distances


def _columns(solution: "Solution") -> list[Any]:
    columns: list[Any] = [("position", {"overflow": "fold"})]
    if answers.has_players(solution):
        columns.append(("player", {"justify": "right"}))
    columns.append("label")
    if _ends(solution):
        columns.append(("in", {"justify": "right"}))
    if answers.has_values(solution):
        columns.append((answers.value_name(solution) or "value", {"justify": "right"}))
    if answers.has_players(solution):
        columns.append(("winner", {"justify": "right"}))
    return [*columns, ("best moves", {"overflow": "fold"})]


def _cells(solution: "Solution", s: int) -> "list[str | Text]":
    from rich.text import Text

    doubled = int(solution.doubled)
    answer = solution.at(solution.graph.name(s >> doubled), s & 1 if doubled else None)
    cells: list[str | Text] = [Text(str(answer.position))]
    if answers.has_players(solution):
        cells.append("" if answer.player is None else str(int(answer.player)))
    cells.append(Text(_label(answer), LABEL_STYLES.get(answer.outcome.upper(), "yellow")))
    if _ends(solution):
        far = str(answer.forced_distance) if answer.forced_distance >= 0 else "–"
        cells.append("∞" if answer.distance < 0 else far)
    if answers.has_values(solution):
        shown = answers.cell if answers.has_weights(solution) else lambda _, value: str(value)
        cells.append(shown(solution, answer.value))
    if answers.has_players(solution):
        cells.append("–" if answer.winner is None else str(int(answer.winner)))
    return [*cells, Text(_moves(answer))]
