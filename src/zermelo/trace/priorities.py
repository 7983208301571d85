"""The words of parity, Büchi and co-Büchi objectives for their priorities."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from zermelo.graph import Graph
from zermelo.objectives import Objective, Parity
from zermelo.objectives.base import PlainSet
from zermelo.objectives.infinite import priorities_on
from zermelo.trace.reasons.explanation import MOST_NAMES


@dataclass(frozen=True)
class Terms:
    """The words of an objective for its priorities."""

    given: Mapping[int, int]
    """The priority that the user gave, by that of the convention "max even"."""
    highest: str = "highest"
    higher: str = "higher"
    targets: str = ""
    """The set of a Büchi or co-Büchi game; empty for parity games."""
    top: int = -1
    """The priority of the set."""


def terms_of(objective: Objective, graph: Graph) -> Terms:
    """The words of a parity, Büchi or co-Büchi objective.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([(0, 0)], owner=[0])
    >>> terms_of(zm.Parity([3], "min odd"), g).given, terms_of(zm.Buchi([0]), g).targets
    ({0: 3}, '{0}')
    """
    priority = priorities_on(objective, graph).tolist()
    if isinstance(objective, PlainSet):
        chosen = np.flatnonzero(graph.mask(objective.positions)).tolist()
        names = ", ".join(str(graph.name(v)) for v in chosen[:MOST_NAMES])
        names += ", …" if len(chosen) > MOST_NAMES else ""
        top = priority[chosen[0]] if chosen else -1
        return Terms({p: p for p in priority}, targets=f"{{{names}}}", top=top)
    if isinstance(objective, Parity):
        low = objective.convention.startswith("min")
        given = dict(zip(priority, objective.spec(graph)["priority"], strict=True))
        return Terms(given, *(("lowest", "lower") if low else ()))
    return Terms({p: p for p in priority})
