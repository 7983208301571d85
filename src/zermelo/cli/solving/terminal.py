"""What ``zermelo solve`` shows on a terminal: a summary, the answer asked for, a table."""

from typing import Any

from rich.panel import Panel
from rich.table import Table
from rich.text import Text

import zermelo as zm
from zermelo.cli.options import MAX_ROWS
from zermelo.cli.output import answers, show
from zermelo.cli.output.listing import LABEL_STYLES
from zermelo.cli.solving.plain import Outcome
from zermelo.registry import objective_row

BAR_WIDTH = 24
"""Columns of the bar that stands for all positions."""

MAX_LINE_MOVES = 60
"""The number of moves of best play that ``--start`` shows."""

MAX_BEST_MOVES = 6
"""Best moves that a table lists."""


def show_outcome(outcome: "Outcome") -> None:
    """Print everything."""
    _summary(outcome)
    if outcome.verdict is not None:
        _verdict_of_synthesis(outcome.verdict)
    if outcome.start is not None:
        _start(outcome)
    texts: list[str] = []
    if outcome.lists:
        from zermelo.cli.output.winners import lines

        given = outcome.given
        texts += lines(outcome.solution, given["player"], strategies=given["strategies"])
    _print_texts(texts)
    if outcome.line is not None:
        _line(outcome)
    if outcome.explain is not None:
        _print_texts([str(outcome.reason)])
    if outcome.given["machine"] is not None:
        _print_texts([str(outcome.machines[outcome.given["machine"]])])
    _table(outcome)


def _print_texts(texts: list[str]) -> None:
    """Print texts, if there are any, after an empty line."""
    if texts:
        print()
    for text in texts:
        show.console().print(Text(text))


def _summary(outcome: "Outcome") -> None:
    solution, file, graph = outcome.solution, outcome.source.text, outcome.solution.graph
    kind = "players alternate" if graph.owner is None else "positions have owners"
    ends = show.count(graph.terminals.size, "terminal")
    sizes = f"{show.graph_size(graph)}, {ends}; {kind}"
    proof = ", verified" if outcome.given["verify"] else ""
    show.print_facts([
        ("game", Text("(standard input)" if file == "-" else file, "bold")),
        ("graph", sizes),
        ("objective", solution.objective.describe(graph)),
        ("solver", f"{solution.solver}, {show.duration(outcome.seconds)}{proof}"),
    ])  # fmt: skip
    print()
    _counts(outcome)


def _counts(outcome: "Outcome") -> None:
    solution = outcome.solution
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
        bar = Text("━" * round(BAR_WIDTH * k / total), style)
        bar.append("─" * (BAR_WIDTH - len(bar)), "bright_black")
        table.add_row(
            Text(key.upper(), f"bold {style}"), f"{k:,}", f"{100 * k / total:.1f} %", bar,
            Text(remark if k else "", "dim"),
        )  # fmt: skip
    show.console().print(table)
    if undecided := counts.get("undecided"):
        show.print_remark(f"{undecided:,} UNDECIDED: not asked about, or given up")
    if solution.graph.owner is not None and not _ends(solution):
        zero, one = ((solution.winner == e).sum() for e in (0, 1))
        show.print_remark(f"player 0 wins from {zero:,}, player 1 from {one:,}")
    if both := outcome.machines:
        zero, one = (show.count(len(machine), "memory state") for machine in both)
        show.print_remark(f"player 0 plays with {zero}, player 1 with {one}")
    if solution.doubled:
        show.print_remark("counted by position and player to move")


def _verdict_of_synthesis(verdict: str) -> None:
    winner, other = ("the system (player 1)", "the environment (player 0)")
    if verdict != "REALIZABLE":
        winner, other = other, winner
    body = Text(verdict, f"bold {LABEL_STYLES['WIN' if verdict == 'REALIZABLE' else 'LOSE']}")
    body.append(f": {winner} wins from the initial state against {other}")
    print()
    show.console().print(body)


def _start(outcome: "Outcome") -> None:
    solution, given = outcome.solution, outcome.given["player"]
    for player in (0, 1) if solution.doubled and given is None else (given,):
        answers.situation(solution, outcome.start, player)
        answer = solution.at(outcome.start, player)
        line = solution.line(outcome.start, player, MAX_LINE_MOVES)
        body = _verdict(solution, answer)
        if len(line) > 1:
            more = " → …" if line.cycle is None and len(line) > MAX_LINE_MOVES else ""
            body.append(f"\n{line}{more}", "dim")
            if sums := _sums(solution, line):
                body.append(f"\n{sums}", "dim")
        who = "" if answer.player is None else f", player {int(answer.player)} to move"
        title = Text(f"{answer.position}{who}", "bold")
        style = LABEL_STYLES.get(answer.outcome.upper(), "yellow")
        panel = Panel(body, title=title, title_align="left", border_style=style, expand=False)
        print()
        show.console().print(panel)


def _sums(solution: "zm.Solution", line: "zm.Line") -> str:
    """What a line of play collects in a game with weights; empty in other games."""
    from zermelo.solutions.weighted_play import collected

    sums = collected(solution, line)
    return "" if sums is None else str(sums)


def _verdict(solution: "zm.Solution", answer: "zm.Answer") -> "Text":
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


def _label(answer: "zm.Answer") -> str:
    """The label, or that nothing is known."""
    return "UNKNOWN" if answer.outcome == "unknown" else answer.label.name


def _moves(answer: "zm.Answer") -> str:
    some = ", ".join(map(str, answer.best_moves[:MAX_BEST_MOVES]))
    more = len(answer.best_moves) - MAX_BEST_MOVES
    return f"{some}, … {more} more" if more > 0 else some


def _line(outcome: "Outcome") -> None:
    solution, player = outcome.solution, outcome.given["player"]
    answers.situation(solution, outcome.line, player)
    line = solution.line(outcome.line, player)
    ply = ("ply", {"justify": "right", "style": "dim"})
    print()
    if answers.past_matters(solution):
        labels = answers.past_labels(solution, line)
        rows = ((str(k), str(line[k]), label) for k, label in enumerate(labels))
        show.print_table([ply, "position", "label"], rows)
        return
    places = answers.line_situations(solution, line, player).tolist()
    cells = ((str(k), *_cells(solution, s)) for k, s in enumerate(places))
    show.print_table([ply, *_columns(solution)], cells)
    if line.cycle is not None:
        show.print_remark(f"play repeats for ever from ply {line.cycle}")
    if sums := _sums(solution, line):
        show.print_remark(sums)


def _table(outcome: "Outcome") -> None:
    solution, given = outcome.solution, outcome.given
    asked = (outcome.line, outcome.explain, given["machine"])
    default = MAX_ROWS if all(x is None for x in asked) and not outcome.lists else 0
    chosen = outcome.situations(default)
    total = answers.situations(solution, given["player"]).size
    if chosen.size:
        table = show.rich_table(*_columns(solution))
        start = None if outcome.start is None else solution.graph.index(outcome.start)
        for s in chosen.tolist():
            v = s >> int(solution.doubled)
            table.add_row(*_cells(solution, s), style="reverse" if v == start else None)
        print()
        show.console().print(table)
    if 0 < chosen.size < total:
        show.print_remark(
            f"… and {total - chosen.size:,} more; --all shows every position, "
            "--output FILE writes them"
        )


def _ends(solution: "zm.Solution") -> bool:
    """Whether answers have distances, and draws mean something."""
    return objective_row(solution.objective).distances


def _columns(solution: "zm.Solution") -> list[Any]:
    columns: list[Any] = [("position", {"overflow": "fold"})]
    if solution.has_players:
        columns.append(("player", {"justify": "right"}))
    columns.append("label")
    if _ends(solution):
        columns.append(("in", {"justify": "right"}))
    if answers.has_values(solution):
        columns.append((answers.value_name(solution) or "value", {"justify": "right"}))
    if solution.has_players:
        columns.append(("winner", {"justify": "right"}))
    return [*columns, ("best moves", {"overflow": "fold"})]


def _cells(solution: "zm.Solution", s: int) -> "list[str | Text]":
    doubled = int(solution.doubled)
    answer = solution.at(solution.graph.name(s >> doubled), s & 1 if doubled else None)
    cells: list[str | Text] = [Text(str(answer.position))]
    if solution.has_players:
        cells.append("" if answer.player is None else str(int(answer.player)))
    cells.append(Text(_label(answer), LABEL_STYLES.get(answer.outcome.upper(), "yellow")))
    if _ends(solution):
        far = str(answer.forced_distance) if answer.forced_distance >= 0 else "–"
        cells.append("∞" if answer.distance < 0 else far)
    if answers.has_values(solution):
        weighted = answers.has_weights(solution)
        cells.append(answers.cell(solution, answer.value) if weighted else str(answer.value))
    if solution.has_players:
        cells.append("–" if answer.winner is None else str(int(answer.winner)))
    return [*cells, Text(_moves(answer))]
