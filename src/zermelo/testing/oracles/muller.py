"""Muller games by latest appearance records, which make them parity games."""

import re
from typing import Any

from zermelo.testing.oracles.parity import recursion
from zermelo.testing.oracles.situations import Situation, rows


def winners(graph: Any, objective: Any) -> list[int]:
    """The winner of each position.

    A record is a list of colours, the one seen last in front. Seeing a set of colours moves them
    to the front; the hit is the last place that moved. The colours up to the greatest hit that
    occurs infinitely often are those seen infinitely often, so the greatest hit gets a priority of
    the parity of its set's winner.
    """
    seen_at = objective.colours(graph)
    moves, owner = rows(graph), graph.owner.tolist()
    colours = sorted(set().union(*seen_at, [0]))
    first = [(v, tuple(colours)) for v in range(graph.n)]
    priority: dict[Any, int] = {}
    successors: dict[Any, list[Any]] = {}
    todo = list(first)
    while todo:
        v, record = state = todo.pop()
        if state in priority:
            continue
        if not moves[v]:
            priority[state], successors[state] = 1 - owner[v], [state]
            continue
        front = [c for c in record if c in seen_at[v]]
        after = (*front, *(c for c in record if c not in seen_at[v]))
        hit = max((k + 1 for k, c in enumerate(record) if c in seen_at[v]), default=0)
        priority[state] = 2 * hit + (not accepts(objective, frozenset(after[:hit])))
        successors[state] = [(w, after) for w in moves[v]]
        todo += successors[state]
    won = recursion(successors, {s: owner[s[0]] for s in priority}, priority, set(priority))[0]
    return [0 if s in won else 1 for s in first]


def accepts(objective: Any, seen: frozenset[int]) -> bool:
    """Whether player 0 wins if these colours are seen infinitely often; formulas have no ``!``."""
    if isinstance(objective.acceptance, str):
        return truth(objective.acceptance, seen)
    return seen in objective.acceptance


def truth(text: str, seen: frozenset[int]) -> bool:
    """Whether a formula holds: its parts are replaced by their truth, ``&`` before ``|``.

    >>> truth("Fin(0) | Inf(1) & (Fin(2) | Inf(0))", frozenset([0, 1]))
    True
    """

    def atom(found: re.Match[str]) -> str:
        return "t" if (int(found[2]) in seen) == (found[1] == "Inf") else "f"

    text = re.sub(r"(Inf|Fin)\((\d+)\)", atom, text).replace(" ", "")
    while len(text) > 1:
        text = re.sub(r"\(([tf])\)", r"\1", text)
        text, count = re.subn(r"([tf])&([tf])", lambda x: min(x[1], x[2]), text)
        if not count:
            text = re.sub(r"(?<!&)([tf])\|([tf])(?!&)", lambda x: max(x[1], x[2]), text)
    return text == "t"


def solve(graph: Any, objective: Any) -> dict[str, dict[Situation, int]]:
    """The winner of each situation."""
    owner = graph.owner.tolist()
    return {"winner": dict(zip(enumerate(owner), winners(graph, objective), strict=True))}
