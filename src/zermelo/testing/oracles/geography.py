"""The games of return and repetition by their definition: the whole history decides."""

import itertools
from collections.abc import Sequence
from typing import Any

from zermelo.testing.oracles.situations import Situation, rows


def wins(moves: Sequence[Sequence[int]], game: str, history: tuple[int, ...]) -> bool:
    """Whether the player to move wins after a history of positions (not yet repeated).

    ``game`` is a keyword, followed by " misere" in the misère form.
    """
    v = history[-1]
    arcs = set(itertools.pairwise(history))
    name, _, misere = game.partition(" ")
    if name in ("no-return", "no-repetition"):
        seen = name == "no-return"
        fresh = [w for w in moves[v] if (w not in history if seen else (v, w) not in arcs)]
        if not fresh:
            return bool(misere)
        return any(not wins(moves, game, (*history, w)) for w in fresh)
    if not moves[v]:
        return True
    if any(w in history if name == "return" else (v, w) in arcs for w in moves[v]):
        return True
    return any(not wins(moves, game, (*history, w)) for w in moves[v])


def labels(moves: Sequence[Sequence[int]], game: str) -> list[int]:
    """+1 or −1 for every start."""
    return [1 if wins(moves, game, (v,)) else -1 for v in range(len(moves))]


def solve(graph: Any, objective: Any) -> dict[str, dict[Situation, int]]:
    """The label of each start, which is the same for either player to move."""
    game = objective.keyword + (" misere" if getattr(objective, "misere", False) else "")
    found = labels(rows(graph), game)
    return {"label": {(v, e): x for v, x in enumerate(found) for e in (0, 1)}}
