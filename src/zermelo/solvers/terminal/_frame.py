"""The frame around every solver of terminal-payoff games: the option ``quotient``."""

import functools
from collections.abc import Callable
from typing import Any, TypeVar, cast

from zermelo.graph import Graph
from zermelo.objectives import Objective
from zermelo.registry import SOLVERS

Progress = Callable[[int, int, str], None] | None
S = TypeVar("S")


def with_quotient(name: str) -> Callable[[Callable[..., S]], Callable[..., S]]:
    """Give the solver of that name the option ``quotient``: then it solves the quotient.

    >>> from zermelo import NormalPlay
    >>> from zermelo.solvers.terminal import retrograde
    >>> g = Graph.from_edges([("a", "b"), ("a", "c"), ("b", "d"), ("c", "e")])
    >>> retrograde.solve(g, NormalPlay(), quotient=True).stats["classes"]
    3
    """

    def frame(solve: Callable[..., S]) -> Callable[..., S]:
        @functools.wraps(solve)
        def framed(
            graph: Graph,
            objective: Objective,
            progress: Progress = None,
            *,
            quotient: bool = False,
            **options: Any,
        ) -> S:
            if not quotient:
                return solve(graph, objective, progress, **options)
            from zermelo.transform.bisimulation import solve_quotient

            solution: Any = solve_quotient(graph, objective, SOLVERS[name], progress, **options)
            return cast(S, solution)

        return framed

    return frame
