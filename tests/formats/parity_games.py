"""Parity games for the tests of formats, and a slow plain solver for them."""

from itertools import product

import numpy as np
from hypothesis import strategies as st

import zermelo as zm
from zermelo.errors import ZermeloError


def attempt(read, *args):
    """The result of a reader, or None after an error of one sentence."""
    try:
        return read(*args)
    except ZermeloError as error:
        sentence = str(error)
    assert "\n" not in sentence
    return None


@st.composite
def parity_games(draw, names=None, top=6):
    n = draw(st.integers(0, 7))
    ends = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1))
    edges = draw(st.lists(ends, max_size=14)) if n else []
    owner = draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
    listed = None
    if names is not None and n and draw(st.booleans()):
        listed = draw(st.lists(names, min_size=n, max_size=n, unique=True))
    graph = zm.Graph.from_arrays(
        [e[0] for e in edges], [e[1] for e in edges], n, np.array(owner, np.int8), listed
    )
    priority = draw(st.lists(st.integers(0, top), min_size=n, max_size=n))
    return graph, zm.Parity(np.array(priority, np.int32))


def winners(graph, priority):
    """The winners, by trying all positional strategies of player 0; "max even"."""
    n = graph.n
    moves = [graph.successors(v).tolist() for v in range(n)]
    mine = [v for v in range(n) if graph.owner[v] == 0 and moves[v]]
    won = np.zeros(n, bool)
    for choice in product(*(moves[v] for v in mine)):
        kept = dict(enumerate(moves)) | {v: [w] for v, w in zip(mine, choice, strict=True)}
        won |= ~_beaten(graph, priority, kept)
    return np.where(won, 0, 1)


def _beaten(graph, priority, kept):
    """The positions from which player 1 alone reaches a dead end of player 0 or an odd cycle."""
    n = graph.n
    bad = [v for v in range(n) if not kept[v] and graph.owner[v] == 0]
    for v in range(n):
        if priority[v] % 2:  # is there a cycle through v without a higher priority?
            low = {w: [x for x in kept[w] if priority[x] <= priority[v]] for w in range(n)}
            if any(v in _reach(low, x) for x in low[v]):
                bad.append(v)
    return np.array([bool(_reach(kept, v) & set(bad)) for v in range(n)], bool)


def _reach(moves, v):
    seen, todo = {v}, [v]
    while todo:
        for w in moves[todo.pop()]:
            if w not in seen:
                seen.add(w)
                todo.append(w)
    return seen
