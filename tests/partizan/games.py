"""Random games for the tests of features, and values of the oracle's games."""

from random import Random

from hypothesis import settings
from hypothesis import strategies as st

import zermelo as zm
from tests.partizan import oracle

LIMITS = settings(deadline=None)


def value_of(game: oracle.Game) -> zm.Value:
    """The value of a game of the oracle."""
    return zm.Value.from_options(map(value_of, game.left), map(value_of, game.right))


games = st.integers(0, 1 << 30).map(lambda seed: oracle.random_game(Random(seed), 3))
"""Random forms born by day 3."""

dyadics = st.builds(
    lambda m, k: zm.value(f"{abs(m)}/{1 << k}") * (1 if m >= 0 else -1),
    st.integers(-20, 20),
    st.integers(0, 3),
)
compacts = st.builds(
    lambda x, up, star: x + up * zm.value("^") + zm.value(f"*{star}"),
    dyadics,
    st.integers(-4, 4),
    st.integers(0, 5),
)
values = st.recursive(
    compacts | games.map(value_of),
    lambda inner: (
        st.builds(
            zm.Value.from_options,
            st.lists(inner, min_size=1, max_size=2),
            st.lists(inner, min_size=1, max_size=2),
        )
        | st.builds(lambda x: zm.Value.from_options([x], [-x]), inner)
        | st.builds(lambda x, n: n * x, inner, st.integers(-2, 2))
    ),
    max_leaves=4,
)
"""Values of every kind."""
