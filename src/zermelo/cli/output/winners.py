"""Lists of who wins where, as ``zermelo solve -p`` prints them, and the winners' strategies."""

import csv
import io
from collections.abc import Iterable
from typing import Any

import click

import zermelo as zm
from zermelo.cli.output.show import field, plain_name
from zermelo.labels import NO_MOVE, NO_WINNER, Int64Array
from zermelo.registry import objective_row


def check_winners(
    graph: "zm.Graph", objective: "zm.Objective", player: int | None, *, strategies: bool
) -> None:
    """Refuse games in which a position alone does not decide who wins."""
    doubled = objective.doubled(graph)
    if graph.owner is None and not doubled:
        raise click.UsageError(
            "--winners is for games in which each position has a player to move, and here either "
            "player may be; the labels show what the player to move gets"
        )
    if doubled and player is None:
        raise click.UsageError(
            "--winners needs --player 0 or --player 1 here, because it matters who is to move"
        )
    if strategies and objective_row(objective).strategies == "memory":
        raise click.UsageError(
            f"--strategies is for strategies without memory, and those of {objective.keyword} "
            "games need one; --machine 0 and --machine 1 show them"
        )


def won_by(solution: "zm.Solution", player: int | None, winner: int) -> "Int64Array":
    """The situations that a player wins; those of draws for ``NO_WINNER``."""
    from zermelo.cli.output.answers import situations

    chosen = situations(solution, player if solution.doubled else None)
    found: Int64Array = chosen[solution.winner.reshape(-1)[chosen] == winner]
    return found


def strategy(solution: "zm.Solution", player: int | None, winner: int) -> list[tuple[int, int]]:
    """The moves with which a player wins, as pairs of position numbers."""
    chosen = won_by(solution, player, winner)
    places = chosen >> int(solution.doubled)
    moves = solution.move.reshape(-1)[chosen]
    mover = player if solution.doubled else None
    owner = solution.graph.owner
    return [
        (v, w)
        for v, w in zip(places.tolist(), moves.tolist(), strict=True)
        if w != NO_MOVE and (mover if owner is None else int(owner[v])) == winner
    ]


def lines(solution: "zm.Solution", player: int | None, *, strategies: bool) -> Iterable[str]:
    """The lists as text: names with commas between them, as options such as --targets take them.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("c", "c")], owner=[0, 1, 0])
    >>> s = zm.solve(g, zm.Parity([2, 1, 1]))
    >>> for line in lines(s, None, strategies=True): print(line)
    won by player 0: a, b
    strategy of player 0: a → b
    won by player 1: c
    strategy of player 1:
    """
    graph, doubled = solution.graph, int(solution.doubled)
    if solution.start is not None and not doubled:
        winner = int(solution.winner[solution.start])
        who = "a draw" if winner == NO_WINNER else f"won by player {winner}"
        yield f"start {field(graph.name(solution.start))}: {who}"
    for winner in (0, 1, NO_WINNER):
        places = won_by(solution, player, winner) >> doubled
        if winner == NO_WINNER and not places.size:
            continue
        title = "draw" if winner == NO_WINNER else f"won by player {winner}"
        yield _listed(title, (str(graph.name(v)) for v in places.tolist()))
        if strategies and winner != NO_WINNER:
            moves = strategy(solution, player, winner)
            pairs = (f"{graph.name(v)} → {graph.name(w)}" for v, w in moves)
            yield _listed(f"strategy of player {winner}", pairs)


def _listed(title: str, names: Iterable[str]) -> str:
    """A title and names; a name that contains a comma or a quote stands in double quotes."""
    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow([field(name) for name in names])
    text = out.getvalue()
    if '"' not in text:
        text = text.replace(",", ", ")
    return f"{title}: {text}".rstrip()


def record(solution: "zm.Solution", player: int | None, *, strategies: bool) -> dict[str, Any]:
    """The lists for JSON."""
    graph, doubled = solution.graph, int(solution.doubled)

    def name(v: int) -> str | int:
        return plain_name(graph.name(v))

    found: dict[str, Any] = {
        "winners": {
            key: [name(v) for v in (won_by(solution, player, winner) >> doubled).tolist()]
            for key, winner in (("0", 0), ("1", 1), ("draw", NO_WINNER))
        }
    }
    if strategies:
        found["strategies"] = {
            str(winner): [[name(v), name(w)] for v, w in strategy(solution, player, winner)]
            for winner in (0, 1)
        }
    return found
