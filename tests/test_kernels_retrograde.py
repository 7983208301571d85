"""The retrograde wave against its definition, spelled out round by round in plain Python."""

import random

import numpy as np
import pytest

from zermelo._kernels.graphs.records import Moves
from zermelo._kernels.graphs.reverse import build_reverse
from zermelo._kernels.terminal.retrograde import (
    BUDGET,
    CHUNK,
    FILLED,
    FINISHED,
    HEAD,
    NEAR_SIZE,
    ROW,
    STATE_SIZE,
    STATUS_AHEAD,
    STOP,
    Phases,
    Scheme,
    Situations,
    gather,
    retrograde,
    settle,
    settle_shared,
    start_status,
)
from zermelo._runtime.compiled.jit import interpreting
from zermelo._runtime.threads import Team
from zermelo.solvers.terminal import drive as _drive

MODES = ("interpret", "compile")
SYMMETRIC, OWNED, ALTERNATING = Scheme(0, 1, 0), Scheme(0, 0, 0), Scheme(1, 0, 0)
LAYOUTS = {"symmetric": SYMMETRIC, "owned": OWNED, "alternating": ALTERNATING}


@pytest.fixture
def share(monkeypatch):
    """Make every front from some size on be shared by some threads."""

    def set_up(threads, size=1, room=0):
        monkeypatch.setattr(_drive, "Team", lambda *_: Team(threads))
        monkeypatch.setattr(_drive, "has_locality", lambda indices: False)
        monkeypatch.setattr(_drive, "MIN_SHARED_FRONT", size)
        monkeypatch.setattr(_drive, "MAX_SETTLED_A_STEP", room)

    return set_up


class Game:
    """A random game: successors, owners and the ends of each phase with their f."""

    def __init__(self, seed, layout, n=None):
        rng = random.Random(seed)
        self.layout = layout
        self.n = n = rng.randrange(1, 12) if n is None else n
        degree = rng.choice([1, 2, 3])
        self.next = [
            sorted(rng.sample(range(n), min(n, rng.randrange(2 * degree)))) for _ in range(n)
        ]
        self.owner = [rng.randrange(2) for _ in range(n)]
        both = 2 if layout[0] else 1
        stuck = [s for s in range(both * n) if not self.next[s // both] or rng.random() < 0.05]
        rng.shuffle(stuck)
        phases = rng.randrange(1, 4)
        self.ends = [[] for _ in range(phases)]
        for s in stuck:
            if rng.random() < 0.9:
                j = rng.randrange(phases)
                # Only the symmetric layout has both kinds of ends in one phase.
                self.ends[j].append((s, rng.randrange(2) if layout[1] else j % 2))

    def csr(self):
        indptr = np.cumsum([0, *map(len, self.next)], dtype=np.int64)
        indices = np.array([v for row in self.next for v in row], np.int32)
        indptr.flags.writeable = indices.flags.writeable = False
        return indptr, indices

    def arrays(self):
        """Arguments of ``run_phases`` but for ``tick``."""
        indptr, indices = self.csr()
        shift = self.layout[0]
        owned = self.layout[:2] == (0, 0)
        rev = build_reverse(indptr, indices)
        for array in rev:
            array.flags.writeable = False
        status = np.empty(self.n << shift, np.int32)
        owner = np.array(self.owner if owned else [], np.int8)
        start_status(indptr, owner, shift, status)
        for s, f in (end for phase in self.ends for end in phase):
            status[s] = ~f
        seeds = np.array([s for phase in self.ends for s, _ in phase], np.int32)
        phases = np.cumsum([0, *map(len, self.ends)], dtype=np.int64)
        situations = Situations(status, np.empty(status.size, np.int32))
        return Moves(*rev), situations, seeds, phases, self.layout


def by_definition(game):
    """``{s: (phase, distance, f)}`` of the settled situations, and the phases' sizes by f.

    The distance of a situation is the first round in which its mover can go to what was settled
    in favour of the mover just before, or has no move left but to what was settled against.
    """
    shift, flip, agree = game.layout
    both = 1 << shift
    settled = {}
    everything = range(game.n * both)
    for phase, ends in enumerate(game.ends):
        settled |= {s: (phase, 0, f) for s, f in ends}
    closed = set(settled)  # ends are no predecessors, also before their phase begins
    settled = {}
    for phase, ends in enumerate(game.ends):
        settled |= {s: (phase, 0, f) for s, f in ends}
        front, distance = {s for s, _ in ends}, 0
        while front:
            distance += 1
            found = {}
            for s in everything:
                if s in settled or s in closed:
                    continue
                onward = [(v << shift) + (~s & shift) for v in game.next[s >> shift]]
                fresh = [t for t in onward if t in front]
                mover = s & 1 if shift else game.owner[s]
                good = 0 if flip else mover  # the f of what the mover likes to move to
                if agree and fresh:
                    found[s] = (phase, distance, flip)
                elif any(settled[t][2] == good for t in fresh):
                    found[s] = (phase, distance, good ^ flip)
                elif fresh and all(t in settled and settled[t][2] != good for t in onward):
                    found[s] = (phase, distance, 1 ^ good ^ flip)
            settled |= found
            front = set(found)
    return settled


def check(game, arrays, segments):
    status, queue = arrays[1]
    expected = by_definition(game)
    found = {s: (~w >> 1, ~w & 1) for s, w in enumerate(status.tolist()) if w < 0}
    assert found == {s: answer[1:] for s, answer in expected.items()}
    agree = game.layout[2]
    for phase in range(len(game.ends)):
        before = segments[2 * phase - 2 : 2 * phase] if phase else (0, 0)
        left = queue[before[0] : segments[2 * phase]].tolist()
        right = queue[::-1][before[1] : segments[2 * phase + 1]].tolist()
        for side, stretch in enumerate((left, right)):
            mine = {
                s for s, (j, _, f) in expected.items() if j == phase and (0 if agree else f) == side
            }
            assert len(stretch) == len(mine)
            assert set(stretch) == mine
            distances = [expected[s][1] for s in stretch]
            assert distances == sorted(distances)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS.keys())
class TestAgainstTheDefinition:
    def run(self, seeds, layout, n=None):
        for seed in seeds:
            game = Game(seed, layout, n)
            arrays = game.arrays()
            check(game, arrays, _drive.run_phases(*arrays))

    def test_small(self, layout, mode, monkeypatch):
        monkeypatch.setenv("ZERMELO_KERNELS", mode)
        self.run(range(200), layout)

    def test_larger(self, layout, mode, monkeypatch):
        monkeypatch.setenv("ZERMELO_KERNELS", mode)
        self.run(range(5), layout, n=120)

    def test_agreed_ties(self, layout, mode, monkeypatch):
        monkeypatch.setenv("ZERMELO_KERNELS", mode)
        self.run(range(60), layout._replace(agree=1))

    def test_one_step_at_a_time(self, layout, mode, monkeypatch):
        monkeypatch.setenv("ZERMELO_KERNELS", mode)
        monkeypatch.setattr(_drive, "MOVES_A_STEP", 1)
        self.run(range(60), layout)

    @pytest.mark.sampled(cases=6)
    @pytest.mark.slow("4-alternating-interpret")
    @pytest.mark.parametrize("threads", [2, 4])
    def test_every_front_is_shared(self, layout, mode, threads, share, monkeypatch):
        monkeypatch.setenv("ZERMELO_KERNELS", mode)
        share(threads)
        self.run(range(30), layout)
        self.run(range(10), layout._replace(agree=1))

    def test_wide_fronts_are_shared(self, layout, mode, share, monkeypatch):
        monkeypatch.setenv("ZERMELO_KERNELS", mode)
        share(2, size=8)
        self.run(range(5), layout, n=120)


def solve_normal(indptr, indices, tick=None):
    """The status of each position in normal play."""
    n = len(indptr) - 1
    rev = build_reverse(indptr, indices)
    status, queue = np.empty(n, np.int32), np.empty(n, np.int32)
    start_status(indptr, np.empty(0, np.int8), 0, status)
    seeds = np.flatnonzero(status == 0).astype(np.int32)
    status[seeds] = ~0
    phases = np.array([0, seeds.size])
    for array in rev:
        array.flags.writeable = False
    _drive.run_phases(Moves(*rev), Situations(status, queue), seeds, phases, SYMMETRIC, tick)
    return status


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("threads", [1, 2])
def test_a_star_is_cut_within_its_row(mode, threads, share, monkeypatch):
    """One position with more predecessors than fit into a chunk, and they with one of their own."""
    monkeypatch.setenv("ZERMELO_KERNELS", mode)
    monkeypatch.setattr(_drive, "MOVES_A_STEP", 1)
    share(threads)
    n = 2 * CHUNK + 100
    indptr = np.arange(-1, n + 1).clip(0, n)
    indices = np.zeros(n, np.int32)
    indptr[-1] = indices.size
    ticks = []
    status = solve_normal(indptr, indices, ticks.append)
    assert status[0] == ~0
    assert (status[1:] == ~3).all()
    assert ticks[-1] == n + 1
    assert len([t for t in ticks if t < n + 1]) >= 2  # it stopped within the row


@pytest.mark.parametrize("mode", MODES)
def test_a_path_needs_few_calls(mode, monkeypatch):
    monkeypatch.setenv("ZERMELO_KERNELS", mode)
    n = 20_000
    indptr = np.arange(n + 1).clip(0, n - 1)
    ticks = []
    status = solve_normal(indptr, np.arange(1, n, dtype=np.int32), ticks.append)
    distance = np.arange(n)[::-1]
    assert np.array_equal(~status, 2 * distance + distance % 2)
    assert len(ticks) <= 2


def test_an_error_in_tick_ends_the_run(monkeypatch):
    monkeypatch.setattr(_drive, "MOVES_A_STEP", 1)

    def tick(settled):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve_normal(np.array([0, 1, 1]), np.array([1], np.int32), tick)


@pytest.mark.slow("interpret")
@pytest.mark.parametrize("mode", MODES)
def test_prefetching_and_sharing_change_nothing(mode, share, monkeypatch):
    """Beyond ``CACHED`` words and moves; the definition would take too long to compare with."""
    monkeypatch.setenv("ZERMELO_KERNELS", mode)
    n = 70_000
    rng = np.random.default_rng(0)
    indptr = np.concatenate([[0], np.cumsum(rng.poisson(2.5, n))])
    indices = rng.integers(0, n, indptr[-1], dtype=np.int32)
    share(1)
    status = solve_normal(indptr, indices)
    if not interpreting():
        for threads in (2, 4):
            share(threads, size=100, room=1000)
            assert np.array_equal(status, solve_normal(indptr, indices))
    # Every settled status follows from its successors' (and no undecided one does).
    distance = np.where(status < 0, ~status >> 1, -1)
    lost = (status < 0) & (~status & 1 == 0)
    source = np.repeat(np.arange(n), np.diff(indptr))
    to_lost = np.bincount(source[lost[indices]], minlength=n) > 0
    won = (status < 0) & ~lost
    assert np.array_equal(won, to_lost)
    moves = np.diff(indptr)
    into_won = np.bincount(source[won[indices]], minlength=n)
    assert np.array_equal(lost, into_won == moves)
    assert (distance[won] % 2 == 1).all()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("step", [settle, settle_shared])
def test_a_counter_near_the_largest_status(step, mode, monkeypatch):
    """2³⁰ − 1 moves, the most a status holds: one bad one leaves 2³⁰ − 2."""
    monkeypatch.setenv("ZERMELO_KERNELS", mode)
    top = 2 * (2**30 - 1) + 1
    status = np.array([top, top, 3, 2], np.int32)
    near = np.zeros(4 + STATUS_AHEAD, np.int32)
    near[:4] = [0, 2, 3, 1]
    assert step(status, near, 0, 4, ~(2 * 7), 0, 0) == 2
    assert status.tolist() == [top - 2, top - 2, ~14, ~14]
    assert near[:2].tolist() == [2, 3]


@pytest.mark.parametrize("side", [0, 1])
def test_gathering_resumes_anywhere(side):
    rng = np.random.default_rng(1)
    n = 50
    indptr = np.concatenate([[0], np.cumsum(rng.poisson(3, n))])
    indices = rng.integers(0, n, indptr[-1], dtype=np.int32)
    queue = rng.permutation(n).astype(np.int32)
    order = queue[::-1] if side else queue
    expected = [p for v in order for p in indices[indptr[v] : indptr[v + 1]].tolist()]
    for capacity in (1, 2, 7, 1000):
        near = np.zeros(capacity + STATUS_AHEAD, np.int32)
        cursor = np.zeros(STATE_SIZE, np.int64)
        cursor[STOP] = n
        found = []
        while cursor[HEAD] < n:
            gather(Moves(indptr, indices), queue, near, cursor, side, 0, 0, capacity)
            found += near[: cursor[FILLED]].tolist()
        assert found == expected
        assert cursor[ROW] == 0


def test_no_phases_and_no_positions(monkeypatch):
    monkeypatch.setenv("ZERMELO_KERNELS", "interpret")
    none32, none64 = np.empty(0, np.int32), np.zeros(1, np.int64)
    nothing, nobody = Moves(none64, none32), Situations(none32, none32)
    segments = _drive.run_phases(nothing, nobody, none32, none64, SYMMETRIC)
    assert segments.size == 0
    state = np.zeros(STATE_SIZE, np.int64)
    near = np.zeros(NEAR_SIZE, np.int32)
    state[BUDGET] = 1
    phases = Phases(none32, none64, none64)
    outcome = retrograde(nothing, nobody, phases, OWNED, near, state)
    assert outcome == FINISHED
