"""Games with awkward names, for Hypothesis."""

import numpy as np
from hypothesis import strategies as st

import zermelo as zm
from zermelo.testing.formats import AWKWARD_NAMES

text_names = st.sampled_from(AWKWARD_NAMES) | st.text(max_size=6)
plain_names = st.recursive(
    text_names | st.integers() | st.booleans() | st.none() | st.floats(allow_nan=False,
                                                                      allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3).map(tuple),
    max_leaves=4,
)  # fmt: skip


@st.composite
def graphs(draw, names=text_names, named=None, owned=None):
    n = draw(st.integers(0, 7))
    edges = draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=14)
                 if n else st.just([]))  # fmt: skip
    with_names = draw(st.booleans()) if named is None else named
    listed = None
    if with_names and n:
        listed = draw(st.lists(names, min_size=n, max_size=n, unique=True))
    owner = None
    if n and (draw(st.booleans()) if owned is None else owned):
        owner = draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
    sources, targets = [e[0] for e in edges], [e[1] for e in edges]
    return zm.Graph.from_arrays(sources, targets, n, owner, listed)


@st.composite
def objectives(draw, graph):
    kinds = [zm.NormalPlay, zm.Misere, zm.Asymmetric, zm.G0, zm.G1, zm.H1]
    simple = st.sampled_from(kinds).map(lambda kind: kind())
    numbers = st.integers(-3, 3) | st.fractions(-2, 2, max_denominator=5) | st.floats(-2, 2)
    some = st.lists(st.booleans(), min_size=graph.n, max_size=graph.n)
    ends = [graph.name(v) for v in graph.terminals.tolist()]
    payoffs = st.fixed_dictionaries(dict.fromkeys(ends, numbers))
    pairs = st.fixed_dictionaries(dict.fromkeys(ends, st.tuples(numbers, numbers)))
    sets = st.tuples(some, st.sampled_from([zm.Reach, zm.Safety]), st.integers(0, 1)).map(
        lambda t: t[1]([graph.name(v) for v, x in enumerate(t[0]) if x], player=t[2])
    )
    pay = st.tuples(payoffs | pairs, numbers).map(lambda t: zm.TerminalPayoff(t[0], t[1]))
    mover = payoffs.map(lambda p: zm.TerminalPayoff(p, view="mover"))
    both = st.tuples(some, some, st.integers(0, 1)).map(
        lambda t: zm.ReachAvoid(np.array(t[0], bool), np.array(t[1], bool), player=t[2])
    )
    return draw(simple | sets | both | pay | mover)


def same_names(a, b):
    """Names are equal and of the same kinds: 1, 1.0 and True are not the same name here."""
    return repr(a.names) == repr(b.names)
