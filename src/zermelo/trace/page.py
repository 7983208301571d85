"""What a notebook shows of a trace, of one of its rounds, and of a tree of reasons."""

import itertools

from zermelo._inputs import page
from zermelo.trace.reasons.terminal import Reason
from zermelo.trace.steps.rounds import Decision, Round, Trace, head

MOST_ROUNDS = 20
MOST_DECISIONS = 12
"""Decisions of a round in the table of a trace."""
MOST_ROWS = 40
"""Decisions in the table of one round."""
MOST_REASONS = 200
MOST_MOVES = 200_000
"""The rounds of a larger graph are not made only to be shown."""


def trace_page(trace: Trace) -> str:
    """The first rounds as a table, a row for each.

    >>> import zermelo as zm
    >>> trace_page(zm.trace(zm.Graph.from_edges([("a", "<t>")]))).count("&lt;t&gt;")
    2
    """
    if trace.graph.n + trace.graph.m > MOST_MOVES:
        return page.block(page.caption(repr(trace)))
    rounds = list(itertools.islice(Trace(trace.graph, trace.form), MOST_ROUNDS + 1))
    rows = [
        (r.number, r.phase, page.joined(map(head, r.decisions), MOST_DECISIONS), _why(r))
        for r in rounds[:MOST_ROUNDS]
    ]
    more = "and more rounds" if len(rounds) > MOST_ROUNDS else ""
    names = ("round", "phase", "decided", "because")
    return page.block(page.caption(repr(trace)), page.table(names, rows, more))


def _why(r: Round) -> str:
    return (
        page.joined(map(_reason, r.decisions[:1]))
        if len(r.decisions) == 1
        else "; ".join(dict.fromkeys(d.rule for d in r.decisions))
    )


def _reason(decision: Decision) -> str:
    moves = page.joined(map(str, decision.reasons))
    return f"{decision.rule}: {moves}" if moves else decision.rule


def round_page(r: Round) -> str:
    """The decisions of a round as a table."""
    rows = [(head(d), d.rule, page.joined(map(str, d.reasons))) for d in r.decisions[:MOST_ROWS]]
    rest = len(r.decisions) - len(rows)
    table = page.table(("decided", "rule", "moves"), rows, f"and {rest:,} more" if rest else "")
    return page.block(page.caption(f"round {r.number} ({r.phase})"), table)


def reason_page(reason: Reason) -> str:
    """The tree of reasons, each a line that can be folded; at most 200 of them.

    >>> import zermelo as zm
    >>> reason_page(zm.explain(zm.Graph.from_edges([("a", "t")]), "a")).count("<details")
    1
    """
    left = MOST_REASONS
    parts: list[str] = []
    stack: list[Reason | str] = [reason]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            parts.append(node)
            continue
        if left == 0:
            continue
        left -= 1
        line = page.text(f"{head(node)}: {node.text}{' …' if node.cut else ''}")
        if not node.children:
            parts.append(f'<div style="margin-left:1.3em">{line}</div>')
            continue
        parts.append(
            f'<details open style="margin-left:1.3em"><summary style="margin-left:-1.3em">{line}'
            "</summary>"
        )
        stack.append("</details>")
        if node.more:
            moves = f"… and {node.more:,} more move{'' if node.more == 1 else 's'}"
            stack.append(f'<div style="margin-left:1.3em">{moves}</div>')
        stack.extend(reversed(node.children))
    more = page.caption(f"only the first {MOST_REASONS} reasons are shown") if left == 0 else ""
    return page.block(*parts, more)
