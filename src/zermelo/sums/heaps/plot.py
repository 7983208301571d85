"""Pictures of heap games: their nim-values as points, and what a notebook shows of them."""

from typing import TYPE_CHECKING

import numpy as np

from zermelo._inputs import page
from zermelo.plots.sequence import SequencePlot

if TYPE_CHECKING:
    from zermelo.sums.heaps.heap import Heap
    from zermelo.sums.heaps.period import Period

SHOWN = 100
"""The largest heap of a plot, unless more values are known or asked for."""
MOST_SHOWN = 100_000
"""A notebook plots at most this many heaps."""
FIRST_VALUES = 24


def plot_values(game: "Heap", n: int | None = None, period: "Period | None" = None) -> SequencePlot:
    """The values of the heaps 0, …, n as points; exceptions to a period, or rare heaps, are marked.

    >>> import zermelo as zm
    >>> plot_values(zm.heap("0.77"), 30).title
    '0.77'
    """
    values = game.nim_sequence(max(SHOWN, len(game) - 1) if n is None else n)
    title = "a heap game" if game.code is None else str(game.code)
    marked = np.zeros(values.size, bool)
    if period is not None:
        marked[[k for k in period.exceptions if k < values.size]] = True
        title += f": period {period.period:,} from heap {period.preperiod:,} on"
        return SequencePlot(title, values, marked, "exceptions")
    sparse = game.sparse(values.size - 1)
    marked[sparse.heaps] = True
    return SequencePlot(title, values, marked, f"rare (mask {sparse.mask:b})")


def heap_page(game: "Heap", period: "Period | None") -> str:
    """What a notebook shows of a heap game: the first values, its period, and the plot."""
    last = min(max(SHOWN, len(game) - 1), MOST_SHOWN)
    plot = plot_values(game, last, period)
    first = ", ".join(map(str, plot.values[:FIRST_VALUES].tolist()))
    facts = [("nim-values", f"{first}, …")]
    if period is not None:
        grows = f", growing by {period.saltus}" if period.saltus else ""
        facts.append(("period", f"{period.period:,} from heap {period.preperiod:,} on{grows}"))
    return page.block(page.caption(repr(game)), page.facts(facts), plot.svg())
