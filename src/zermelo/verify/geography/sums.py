"""The checker of sums of games of return and repetition; no code of the search.

Where components have values, each value is proved (:mod:`zermelo.verify.geography.eggs`), and so is
the value after each winning move. Who wins then follows from the nim-sums. Misère geography has no
values: there the checker follows all histories of the sum, up to a limit.

The winning moves are different, and each of them wins. All moves that win by repeating are among
them, and in misère geography all winning moves. Elsewhere the sum has no proof that another move
does not win, so that is not checked.
"""

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from zermelo._inputs.belonging import check_belongs
from zermelo.errors import CertificateError, LimitError
from zermelo.labels import Label
from zermelo.verify.geography.refutation import repeats

if TYPE_CHECKING:
    from zermelo.graph import Graph

MAX_STATES = 200_000
"""The most states of a sum of misère geography that are examined."""


def check_geography_sum(claim: Any) -> None:
    """Raise :class:`~zermelo.errors.CertificateError` unless a solved sum is right.

    >>> import dataclasses, zermelo as zm
    >>> path = zm.generators.path(3, symmetric=True).graph
    >>> s = zm.geography_sum([(path, 1), (path, 1)])
    >>> check_geography_sum(dataclasses.replace(s, label=zm.Label.WIN))
    Traceback (most recent call last):
    zermelo.errors.CertificateError: expected label LOSE, the sum claims WIN
    """
    games = list(zip(claim.graphs, claim.objectives, claim.debuts, strict=True))
    walks = [[g.index(x) for x in debut] for g, _, debut in games]
    if any(getattr(x, "misere", False) for x in claim.objectives):
        _check_misere(claim, walks)
        return
    atonce, total = 0, 0
    for (graph, objective, debut), walk, known in zip(games, walks, claim.components, strict=True):
        if _wins_at_once(graph, objective, walk):
            atonce += 1
            if known is not None:
                raise CertificateError(f"{debut!r}: expected no value, it is won at once")
        else:
            total ^= _value(known, graph, objective, debut)
    _compare(Label.WIN if atonce or total else Label.LOSE, claim.label)
    if total and not atonce and not claim.winning_moves:
        raise CertificateError("expected a winning move, the sum has none")
    listed = _listed_moves(claim)
    for move in claim.winning_moves:
        _check_move(claim, walks, move, atonce, total)
    for k, (graph, objective, _) in enumerate(games):
        if objective.keyword in ("return", "repetition"):
            for w in graph.successors(walks[k][-1]).tolist():
                if repeats(objective, walks[k], w):
                    _expect_listed(claim, listed, k, w)


def _compare(expected: Label, claimed: Label) -> None:
    if expected != claimed:
        raise CertificateError(f"expected label {expected.name}, the sum claims {claimed.name}")


def _listed_moves(claim: Any) -> set[tuple[int, int]]:
    """The component and the target of each winning move; each may be there once."""
    seen: set[tuple[int, int]] = set()
    for move in claim.winning_moves:
        step = move.component, claim.graphs[move.component].index(move.to)
        if step in seen:
            raise CertificateError(
                f"the move {move}: expected each winning move once, got it twice"
            )
        seen.add(step)
    return seen


def _expect_listed(claim: Any, listed: set[tuple[int, int]], k: int, w: int) -> None:
    if (k, w) not in listed:
        name = claim.graphs[k].name(w)
        raise CertificateError(f"expected all winning moves, the sum lacks {k}: to {name}")


def _value(known: Any, graph: "Graph", objective: Any, debut: tuple[Any, ...]) -> int:
    """A claimed value, proved; it must be about this component."""
    if known is None or not known.exact:
        raise CertificateError(f"{debut!r}: expected a value, the sum has none")
    check_belongs(f"the value of {debut!r}", known, graph=graph, objective=objective, debut=debut)
    known.verify()
    value: int = known.value
    return value


def _check_move(claim: Any, walks: list[list[int]], move: Any, atonce: int, total: int) -> None:
    k = move.component
    graph, objective, walk = claim.graphs[k], claim.objectives[k], walks[k]
    w = graph.index(move.to)
    if w not in graph.successors(walk[-1]):
        raise CertificateError(f"the move {move}: expected a move of the graph")
    if repeats(objective, walk, w):
        if objective.keyword not in ("return", "repetition"):
            raise CertificateError(f"the move {move}: expected a fresh move")
        return
    own = _wins_at_once(graph, objective, walk)
    if atonce - own or _wins_at_once(graph, objective, [*walk, w]):
        raise CertificateError(f"the move {move}: after it the opponent wins at once")
    after = _value(move.bounds, graph, objective, (*claim.debuts[k], move.to))
    before = 0 if own else claim.components[k].value
    if total ^ before ^ after:
        raise CertificateError(f"the move {move}: expected the nim-sum 0 after it")


def _wins_at_once(graph: "Graph", objective: Any, walk: list[int]) -> bool:
    """Whether the player to move may repeat and win, or is stuck and wins."""
    if objective.keyword not in ("return", "repetition"):
        return False
    moves = graph.successors(walk[-1]).tolist()
    return not moves or any(repeats(objective, walk, w) for w in moves)


# -------------------------------------------------------------------- misère geography


def _check_misere(claim: Any, walks: list[list[int]]) -> None:
    rows = [[g.successors(v).tolist() for v in range(g.n)] for g in claim.graphs]
    arcs = [x.arcs for x in claim.objectives]
    here = tuple(
        (walk[-1], frozenset(pairwise(walk) if by_arcs else walk))
        for walk, by_arcs in zip(walks, arcs, strict=True)
    )
    known: dict[Any, bool] = {}

    def after(state: Any) -> list[tuple[int, int, Any]]:
        found = []
        for k, (v, used) in enumerate(state):
            for w in rows[k][v]:
                mark = (v, w) if arcs[k] else w
                if mark not in used:
                    found.append((k, w, (*state[:k], (w, used | {mark}), *state[k + 1 :])))
        return found

    def wins(start: Any) -> bool:
        waiting = [start]
        while waiting:
            state = waiting[-1]
            options = [x for _, _, x in after(state)]
            unknown = [x for x in options if x not in known]
            if not options or any(known.get(x) is False for x in options):
                known[state] = True
            elif not unknown:
                known[state] = False
            else:
                waiting.append(unknown[0])
                if len(known) > MAX_STATES:
                    raise LimitError(
                        f"the check of a sum of misère geography takes more than {MAX_STATES:,} "
                        "states"
                    )
                continue
            waiting.pop()
        return known[start]

    _compare(Label.WIN if wins(here) else Label.LOSE, claim.label)
    options = {(k, w): state for k, w, state in after(here)}
    if claim.label == Label.WIN and options and not claim.winning_moves:
        raise CertificateError("expected a winning move, the sum has none")
    listed = _listed_moves(claim)
    for move in claim.winning_moves:
        state = options.get((move.component, claim.graphs[move.component].index(move.to)))
        if state is None or wins(state):
            raise CertificateError(f"the move {move}: expected a move that wins")
    for (k, w), state in options.items():
        if not wins(state):
            _expect_listed(claim, listed, k, w)
