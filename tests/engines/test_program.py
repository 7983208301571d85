"""Steps are functions of state and messages: an executor may lose partitions and repeat steps."""

import numpy as np
import pytest

import zermelo as zm
from zermelo._kernels.terminal.retrograde import read_distances
from zermelo.engines.moves.prepare import part_files, prepare, read_division
from zermelo.engines.moves.source import GraphSource
from zermelo.engines.partitions.budget import Budget
from zermelo.engines.partitions.messages import pack, unpack
from zermelo.engines.partitions.partition import Buffers, Partition
from zermelo.engines.partitions.program import run
from zermelo.engines.partitions.solve import open_job
from zermelo.engines.tiers.below import Below
from zermelo.objectives.terminal_form import form_on


class Forgetful:
    """An executor whose workers lose everything before many of their steps.

    The truth is in records: the first states, the log of all messages, and the ends of the phases.
    A partition in memory is only a cache, which is computed again by repeating all of its steps.
    """

    def __init__(self, job, record, source, division, rng):
        self.job, self.source, self.division, self.rng = job, source, division, rng
        self.files = [part_files(record, q) for q in range(division.size)]
        self.terms = source.terms
        self.below = Below(job, self.terms, self.files)
        most = max(files["indices"][1] // 4 for files in self.files) << self.terms.shift
        self.buffers = Buffers(division, self.terms.shift, max(1, min(most, 5)))
        self.steps = [[] for _ in self.files]
        """For each partition what it did: a phase that it began, or a task with its inbox."""
        self.cache, self.outbox, self.inbox, self.losses = {}, {}, {}, 0

    def array(self, q, key, dtype):
        return np.fromfile(self.job.path(self.files[q][key][0]), dtype)

    def ends(self, q, phase):
        ends = self.array(q, "ends", np.int32)
        return ends[self.array(q, "phases", np.int32) == phase]

    def partition(self, q):
        if self.rng.random() < 0.4 and self.cache.pop(q, None) is not None:
            self.losses += 1
        if q in self.cache:
            return self.cache[q]

        def read(key, dtype, size):
            return np.empty(size, dtype) if key == "queue" else self.array(q, key, dtype)

        moves = self.files[q]["indices"][1] // 4
        cursor = Partition.new_cursor()
        made = Partition.of_files(self.division, self.terms, q, moves, read, cursor)
        for step in self.steps[q]:
            self.repeat(made, q, step, lambda *_: None)
        self.cache[q] = made
        return made

    def repeat(self, partition, q, step, send):
        if isinstance(step, int):
            return partition.begin(self.ends(q, step), self.terms.wave(step))
        task, records = step
        inbox = map(unpack, records)
        return partition.step(task, self.terms.wave(task.phase), inbox, send, self.buffers)

    def phases(self):
        found = [self.array(q, "phases", np.int32) for q in range(self.division.size)]
        return np.unique(np.concatenate(found)).tolist()

    def begin(self, phase):
        active = {q for q in range(self.division.size) if self.ends(q, phase).size}
        for q in active:
            self.repeat(self.partition(q), q, phase, None)
            self.steps[q].append(phase)
        return active

    def run(self, tasks):
        reports = []
        for task in tasks:
            q = task.partition
            step = (task, self.inbox.pop(q, []))

            def send(receiver, batch):
                self.outbox.setdefault(receiver, []).append(pack(batch))

            reports.append(self.repeat(self.partition(q), q, step, send))
            self.steps[q].append(step)
        return reports

    def end_layer(self, moment):
        # The order of messages does not matter.
        self.inbox, self.outbox = self.outbox, {}
        for records in self.inbox.values():
            self.rng.shuffle(records)

    def resume(self):
        return None


@pytest.mark.parametrize("partitions", [2, 3, 7])
def test_repeated_steps_give_the_same_bytes(partitions, tmp_path):
    rng = np.random.default_rng(partitions)
    losses = 0
    for seed in range(6):
        n = 30
        graph = zm.Graph.from_arrays(rng.integers(0, n, 45), rng.integers(0, n, 45), n)
        objective = [zm.NormalPlay(), zm.Asymmetric(), zm.TerminalPayoff(rng.integers(-2, 3, n))]
        objective = objective[seed % 3]
        source = GraphSource(graph, form_on(objective, graph))
        with open_job(source, partitions, tmp_path) as job:
            division = read_division(source, partitions, 0, Budget(1).piece)
            record = prepare(job, source, division, Budget(1).piece)
            executor = Forgetful(job, record, source, division, rng)
            run(source.terms, executor)
            shares = [executor.partition(q).share for q in range(partitions)]
        losses += executor.losses
        distance = np.concatenate([share.status for share in shares])
        read_distances(distance)
        wanted = zm.solve(graph, objective, solver="retrograde")
        assert distance.tobytes() == wanted.distance.tobytes()
        level = np.concatenate([share.level for share in shares])
        assert level.tobytes() == wanted.level.tobytes()
    assert losses > 5


def test_messages_can_be_computed_from_later_states(tmp_path):
    """The messages of every layer are the same after the run as they were in it."""
    rng = np.random.default_rng(9)
    n = 60
    graph = zm.Graph.from_arrays(rng.integers(0, n, 90), rng.integers(0, n, 90), n)
    source = GraphSource(graph, form_on(zm.NormalPlay(), graph))
    with open_job(source, 3, tmp_path) as job:
        division = read_division(source, 3, 0, Budget(1).piece)
        executor = Forgetful(
            job, prepare(job, source, division, Budget(1).piece), source, division, rng
        )
        run(source.terms, executor)
        checked = 0
        for q in range(3):
            for step in executor.steps[q]:
                if isinstance(step, int):
                    continue
                depth, first = _first_time(executor, q, step)
                again = []
                executor.partition(q).messages_again(
                    source.terms.wave(step[0].phase),
                    depth,
                    lambda *message, again=again: again.append(message),
                    executor.buffers,
                )
                assert totals(again) == totals(first)
                checked += len(again)
        assert checked > 10


def _first_time(executor, q, last):
    """The distance and the messages of a step, found by repeating all steps up to it."""
    executor.cache.pop(q, None)
    kept, sent = executor.steps[q], []
    executor.steps[q] = kept[: kept.index(last)]
    report = executor.repeat(executor.partition(q), q, last, lambda *message: sent.append(message))
    executor.steps[q] = kept
    executor.cache.pop(q, None)
    return report.depth, sent


def totals(sent):
    """The number of moves in all messages to each situation, by receiver and side."""
    found = {}
    for receiver, batch in sent:
        pairs = zip(batch.targets.tolist(), batch.counts.tolist(), strict=True)
        for target, count in pairs:
            key = (receiver, batch.side, target)
            found[key] = found.get(key, 0) + count
    return found
