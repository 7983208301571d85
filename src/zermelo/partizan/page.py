"""What a notebook shows of values of partizan games."""

import contextlib
from typing import TYPE_CHECKING

from zermelo._inputs import page
from zermelo.errors import UndefinedError, ZermeloError

if TYPE_CHECKING:
    from zermelo.partizan.analysis.explanation import Explanation
    from zermelo.partizan.loopy.graph import PartizanGraph
    from zermelo.partizan.loopy.value import LoopyValue
    from zermelo.partizan.text.simplify import FormTrace
    from zermelo.partizan.value import Value

FIRST_ROWS = 10
"""The number of positions of a graph that are shown."""
MOST_LINES = 60
"""The number of sentences of an explanation, and of steps, that are shown."""


def value_page(value: "Value") -> str:
    """The canonical form, who wins, the stops, mean and temperature, and the thermograph.

    >>> import zermelo as zm
    >>> text = value_page(zm.value("{2|-1}"))
    >>> text.count("<svg"), "temperature" in text
    (1, True)
    """
    try:
        facts: list[tuple[str, object]] = [
            ("value", value),
            ("outcome", f"{value.outcome.name}: {value.outcome}"),
            ("stops", f"{value.left_stop} and {value.right_stop}"),
            ("mean", value.mean),
            ("temperature", value.temperature),
            ("birthday", value.birthday),
        ]
    except ZermeloError:  # the store was emptied
        return page.block(page.caption(repr(value)))
    with contextlib.suppress(UndefinedError):
        facts.append(("atomic weight", value.atomic_weight))
    picture = "" if value.is_integer else value.thermograph.svg()
    return page.block(page.facts(facts), picture)


def graph_page(graph: "PartizanGraph") -> str:
    """The first positions of a graph, with the moves of Left and of Right.

    >>> import zermelo as zm
    >>> "<td" in graph_page(zm.PartizanGraph.from_edges(left=[("a", "b")], right=[]))
    True
    """
    rows = []
    for v in range(min(graph.n, FIRST_ROWS)):
        sides = (
            page.joined(str(graph.name(w)) for w in side.successors(v)[:1_000].tolist())
            for side in (graph.left, graph.right)
        )
        rows.append((graph.name(v), *sides))
    rest = graph.n - len(rows)
    more = f"and {rest:,} more" if rest else ""
    table = page.table(("position", "Left", "Right"), rows, more)
    return page.block(page.caption(repr(graph)), table)


def loopy_page(value: "LoopyValue") -> str:
    """A loopy value: its notation, who wins, and whether it is a stopper.

    >>> import zermelo as zm
    >>> "Left wins" in loopy_page(zm.value("on"))
    True
    """
    facts: list[tuple[str, object]] = [
        ("value", value),
        ("outcome", f"{value.outcome.name}: {value.outcome}"),
        ("stopper", "yes" if value.is_stopper else "no"),
    ]
    if not value.is_stopper:
        facts += [("onside", value.onside), ("offside", value.offside)]
    return page.block(page.facts(facts))


def explanation_page(explanation: "Explanation") -> str:
    """The sentences of an explanation, indented.

    >>> import zermelo as zm
    >>> explanation_page(zm.value("{2|-1}").explain()).count("<div")
    7
    """
    lines = str(explanation).splitlines()
    parts = [
        f'<div style="margin-left:{len(x) - len(x.lstrip())}em">{page.text(x.strip(), 400)}</div>'
        for x in lines[:MOST_LINES]
    ]
    rest = len(lines) - len(parts)
    return page.block(*parts, page.caption(f"and {rest:,} more sentences") if rest else "")


def form_trace_page(trace: "FormTrace") -> str:
    """The steps of a simplification as a table.

    >>> import zermelo as zm
    >>> form_trace_page(zm.trace(zm.literal("{*|*}"))).count("<tr>")
    3
    """
    if not trace.steps:
        return page.block(page.caption(trace))
    rows = [(x.before, x.reason, x.after) for x in trace.steps[:MOST_LINES]]
    rest = len(trace) - len(rows)
    more = f"and {rest:,} more" if rest else ""
    return page.block(
        page.table(("position", "step", "leaves"), rows, more),
        page.caption(f"The canonical form is {trace.value}."),
    )
