"""The store of values against plain recursive games; interruptions, growth, depth."""

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.partizan import oracle
from tests.sampling import examples
from zermelo._kernels.partizan.form import LAST_SERIAL
from zermelo._kernels.partizan.values import SERIAL
from zermelo.errors import LimitError
from zermelo.partizan import store as store_module
from zermelo.partizan.store import STORE, ZERO, Store

games = st.recursive(
    st.just(oracle.ZERO),
    lambda inner: st.builds(oracle.game, st.lists(inner, max_size=3), st.lists(inner, max_size=3)),
    max_leaves=12,
).filter(lambda g: oracle.birthday(g) <= 3)


def put(store: Store, g: oracle.Game) -> int:
    return store.make([put(store, x) for x in g.left], [put(store, x) for x in g.right])


def form(store: Store, value: int) -> oracle.Game:
    left, right = store.left(value), store.right(value)
    return oracle.game([form(store, x) for x in left], [form(store, x) for x in right])


def program(positions):
    """The arrays of ``evaluate`` for positions (left, right) whose options are lists of terms."""
    ptr, sums, sum_ptr, terms = ([0], [0]), ([], []), [0], []
    for sides in positions:
        for side, options in enumerate(sides):
            for option in options:
                sums[side].append(len(sum_ptr) - 1)
                terms += option
                sum_ptr.append(len(terms))
            ptr[side].append(len(sums[side]))
    return len(positions), *ptr, *sums, sum_ptr, terms


def random_positions(seed, n=40, deepest=5):
    """Positions with options that are sums of a few earlier ones, some negated; not too deep."""
    rng = random.Random(seed)
    depth = []

    def option():
        terms = [rng.randrange(2 * len(depth)) for _ in range(rng.choice([1, 1, 1, 2, 2, 3]))]
        while sum(depth[t >> 1] for t in terms) >= deepest:
            terms.pop()
        return terms

    positions = []
    for p in range(n):
        sides = [[option() for _ in range(rng.randint(0, 3))] if p else [] for _ in range(2)]
        positions.append(sides)
        lengths = [sum(depth[t >> 1] for t in x) for side in sides for x in side]
        depth.append(1 + max(lengths, default=-1))
    return positions


def one_by_one(store, positions):
    """The same as ``evaluate``, by the other methods."""
    values = []

    def total(option):
        result = ZERO
        for t in option:
            result = store.add(result, store.negate(values[t >> 1]) if t & 1 else values[t >> 1])
        return result

    for left, right in positions:
        values.append(store.make(map(total, left), map(total, right)))
    return values


@given(games, games)
def test_forms_order_and_sums_are_those_of_the_definitions(g, h):
    a, b = put(STORE, g), put(STORE, h)
    x, y = oracle.canonical(g), oracle.canonical(h)
    assert form(STORE, a) == x
    assert STORE.birthday(a) == oracle.birthday(x)
    assert form(STORE, STORE.negate(a)) == oracle.negate(x)
    assert STORE.le(a, b) == oracle.le(g, h)
    assert (a == b) == oracle.eq(g, h)
    if oracle.birthday(x) + oracle.birthday(y) <= 5:
        assert form(STORE, STORE.add(a, b)) == oracle.canonical(oracle.add(x, y))


def test_22_games_are_born_by_day_2_and_their_sums_are_right():
    born = oracle.born_by(2)
    ids = [put(STORE, g) for g in born]
    assert len(set(ids)) == len(born) == 22
    for (a, g), (b, h) in itertools.product(zip(ids, born, strict=True), repeat=2):
        assert STORE.le(a, b) == oracle.le(g, h)
        assert form(STORE, STORE.add(a, b)) == oracle.canonical(oracle.add(g, h))


def test_1474_games_are_born_by_day_3():
    ids = [put(STORE, g) for g in oracle.born_by(2)]
    antichains = [()]
    for a in ids:
        antichains += [
            (*s, a) for s in antichains if not any(STORE.le(a, b) or STORE.le(b, a) for b in s)
        ]
    ids.sort(key=STORE.birthday)
    place = {a: p for p, a in enumerate(ids)}
    first = [
        [[[2 * place[x]] for x in side] for side in (STORE.left(a), STORE.right(a))] for a in ids
    ]
    rows = [[[2 * place[x]] for x in chain] for chain in antichains]
    values = STORE.evaluate(*program(first + [[l, r] for l in rows for r in rows]))
    born = set(values.tolist())
    assert len(born) == 1474
    assert max(map(STORE.birthday, born)) == 3


small = st.integers(0, 21).map(lambda k: put(STORE, oracle.born_by(2)[k]))
values = st.one_of(small, games.map(lambda g: put(STORE, g)))


@given(values, values, values)
@examples(50)
def test_values_are_an_ordered_abelian_group(a, b, c):
    add, le, minus = STORE.add, STORE.le, STORE.negate
    assert add(a, b) == add(b, a)
    assert add(add(a, b), c) == add(a, add(b, c))
    assert add(a, ZERO) == a
    assert add(a, minus(a)) == ZERO
    assert minus(minus(a)) == a
    assert minus(add(a, b)) == add(minus(a), minus(b))
    assert le(a, a)
    assert not (le(a, b) and le(b, a)) or a == b
    assert not (le(a, b) and le(b, c)) or le(a, c)
    assert le(a, b) == le(add(a, c), add(b, c)) == le(minus(b), minus(a))
    assert le(a, b) == le(ZERO, add(b, minus(a)))


@pytest.mark.slow
def test_compact_forms_are_what_they_stand_for():
    for up, star in itertools.product(range(-3, 4), range(5)):
        for x in (oracle.Fraction(0), oracle.Fraction(-2), oracle.Fraction(3, 4)):
            value = STORE.number_up_star(x.numerator, x.denominator.bit_length() - 1, up, star)
            infinitesimal = oracle.canonical(oracle.add(oracle.ups(up), oracle.nimber(star)))
            g = oracle.canonical(oracle.add(infinitesimal, oracle.number(x)))
            assert form(STORE, value) == g
            assert put(STORE, g) == value
            assert STORE.birthday(value) == oracle.birthday(g)
            assert STORE.parts(value) == (x.numerator, x.denominator.bit_length() - 1, up, star)


def test_large_compact_forms_cost_nothing():
    store = Store()
    a = store.number_up_star(100 << 40, 40, 10**15, 10**12)
    assert store.parts(a) == (100, 0, 10**15, 10**12)
    assert store.add(a, store.negate(a)) == ZERO
    b = store.add(a, store.number(1, 50))
    assert store.parts(b) == ((100 << 50) + 1, 50, 10**15, 10**12)
    assert store.le(a, b)
    assert not store.le(b, a)
    assert len(store) < 10


@pytest.mark.parametrize(("numerator", "exponent"), [(1 << 62, 0), (1 << 63 | 1, 5), (1, 1 << 62)])
def test_numbers_beyond_62_bits_are_refused(numerator, exponent):
    with pytest.raises(LimitError, match="62 bits"):
        STORE.number(numerator, exponent)


def test_sums_beyond_62_bits_are_refused_and_the_store_stays_usable():
    store = Store()
    large, tiny = store.number((1 << 62) - 1), store.number(1, 100)
    for a, b in ((large, large), (large, tiny), (store.number(1), tiny)):
        with pytest.raises(LimitError, match="62 bits"):
            store.add(a, b)
    with pytest.raises(LimitError, match="62 bits"):
        store.make([large], [])
    switch = store.make([store.number(1)], [store.number(-1)])
    with pytest.raises(LimitError, match="62 bits"):
        store.add(switch, tiny)
    assert store.add(switch, switch) == ZERO


@pytest.mark.parametrize("seed", range(30))
def test_evaluating_positions_agrees_with_one_by_one(seed):
    positions = random_positions(seed)
    assert STORE.evaluate(*program(positions)).tolist() == one_by_one(STORE, positions)


def test_evaluating_nothing():
    assert STORE.evaluate(*program([])).tolist() == []


@pytest.mark.parametrize("seed", range(6))
def test_any_pause_and_any_growth_leave_the_values_as_they_are(seed, monkeypatch):
    positions = random_positions(seed, 24)
    expected = [form(STORE, v) for v in one_by_one(STORE, positions)]
    monkeypatch.setenv("ZERMELO_KERNELS", "interpret")
    monkeypatch.setattr(store_module, "MAX_INTERPRETED_KEPT", 8)  # one step at a time
    monkeypatch.setattr(store_module, "INITIAL_CAPACITY", 4)
    store = Store()
    got = store.evaluate(*program(positions)).tolist()
    assert [form(store, v) for v in got] == expected
    assert got == one_by_one(store, positions)


@pytest.mark.compiled
@pytest.mark.parametrize("seed", range(4))
def test_interpreted_and_compiled_agree(seed, monkeypatch):
    positions = random_positions(seed + 100)
    results = []
    for mode in ("interpret", "compile"):
        monkeypatch.setenv("ZERMELO_KERNELS", mode)
        store = Store()
        evaluated = store.evaluate(*program(positions)).tolist()
        assert one_by_one(store, positions) == evaluated
        results.append([form(store, v) for v in evaluated])
    assert results[0] == results[1]


@pytest.mark.compiled
def test_a_long_job_continues_compiled(monkeypatch):
    monkeypatch.delenv("ZERMELO_KERNELS", raising=False)
    monkeypatch.setattr(store_module, "MAX_INTERPRETED_KEPT", 64)
    monkeypatch.setattr(store_module, "MAX_INTERPRETED", 64)
    monkeypatch.setattr(store_module, "COMPILED_STEPS", 16)
    store = Store()
    positions = random_positions(7)
    assert store._lists is True
    assert store.evaluate(*program(positions)).tolist() == one_by_one(store, positions)
    assert store._lists is False


def test_serial_numbers_may_run_out():
    store = Store()
    store._state[SERIAL] = LAST_SERIAL - 3
    positions = random_positions(3)
    values = store.evaluate(*program(positions)).tolist()
    assert [form(store, v) for v in values] == [
        form(STORE, v) for v in one_by_one(STORE, positions)
    ]


class Bomb(list):
    """A list whose n-th write raises KeyboardInterrupt."""

    def __init__(self, items, fuse):
        super().__init__(items)
        self.fuse = fuse

    def __setitem__(self, index, item):
        self.fuse[0] -= 1
        if self.fuse[0] == 0:
            raise KeyboardInterrupt
        super().__setitem__(index, item)


@pytest.mark.parametrize("after", [*range(1, 40, 3), 100, 333, 1000, 2500])
def test_an_interruption_anywhere_leaves_the_store_usable(after, monkeypatch):
    monkeypatch.setenv("ZERMELO_KERNELS", "interpret")
    positions = random_positions(11)
    store = Store()
    early = one_by_one(store, positions[:4])
    fuse = [after]
    for name in ("_state", "_info", "_pool", "_table", "_memo", "_sums", "_stack", "_options"):
        setattr(store, name, Bomb(getattr(store, name), fuse))

    def work_on():
        while True:
            store.evaluate(*program(positions))
            store.number(fuse[0])

    with pytest.raises(KeyboardInterrupt):
        work_on()
    fuse[0] = -1
    values = store.evaluate(*program(positions)).tolist()
    assert values[:4] == early
    assert values == one_by_one(store, positions)
    assert [form(store, v) for v in values] == [
        form(STORE, v) for v in one_by_one(STORE, positions)
    ]


def test_the_cap_has_a_clear_message_and_can_be_raised():
    store = Store(limit=300)
    with pytest.raises(
        LimitError, match=r"300 are allowed; raise .*STORE\.limit or .*STORE\.clear"
    ):
        list(map(store.number, range(400)))
    assert len(store) == 300
    assert store.number(7) == store.add(store.number(3), store.number(4))
    store.limit = 1000
    assert store.parts(store.number(900)) == (900, 0, 0, 0)
    with pytest.raises(LimitError):
        store.left(store.number_up_star(0, 0, 0, 10**6))
    store.clear()
    assert len(store) == 1


def test_memos_are_emptied_with_the_store():
    store = Store()
    memo = store.memo()
    memo[store.number(5)] = "five"
    store.clear()
    assert memo == {}


DEEP = 20_000


@pytest.mark.slow
def test_deep_numbers():
    integers = [[[[2 * (k - 1)]] if k else [], []] for k in range(DEEP)]
    nested = [[[[2 * (DEEP + k - 1)]] if k else [[0]], [[2 * (k + 1)]]] for k in range(DEEP - 1)]
    values = STORE.evaluate(*program(integers + nested))
    assert STORE.parts(int(values[-1])) == (DEEP - 2, 0, 0, 0)  # {…{{0|1}|2}…|DEEP − 1}
    halves = [[[], []], [[[0]], []]] + [[[[0]], [[2 * (k + 1)]]] for k in range(DEEP)]
    last = int(STORE.evaluate(*program(halves))[-1])
    assert STORE.parts(last) == (1, DEEP, 0, 0)
    assert STORE.birthday(last) == DEEP + 1


def test_deep_games_and_sums_of_long_chains():
    """G(k) = {G(k−1) | −k} is hot at every depth, so the canonical form has the same depth."""
    deep = 10_000
    numbers = [[[], [[2 * (k - 1)]] if k else []] for k in range(deep)]
    chain = [[[[2 * (deep + k - 1)]] if k else [[0]], [[2 * (k + 1)]]] for k in range(deep - 1)]
    top = int(STORE.evaluate(*program(numbers + chain))[-1])
    assert STORE.birthday(top) == deep
    star, half = STORE.number_up_star(0, 0, 0, 1), STORE.number(1, 1)
    moved = STORE.add(top, half)
    assert STORE.birthday(moved) > deep
    assert STORE.add(moved, STORE.negate(half)) == top
    assert STORE.add(STORE.add(top, star), star) == top
    assert STORE.le(top, moved)
    assert not STORE.le(moved, top)
    assert STORE.add(top, STORE.negate(top)) == ZERO
