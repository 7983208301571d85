"""The one program: phase after phase, layer after layer, all partitions that have something to do.

The program does not know where partitions are, how messages travel or what is kept on disk; that is
the business of its executor. In each layer the executor gets one task for every partition that
has messages or waiting situations. The tasks of a layer are independent, and the layer ends when
all have ended. A partition without messages costs nothing.

The order of the layers is that of :mod:`zermelo.solvers.terminal.retrograde`, so values and
distances are the same for every number of partitions, see docs/decisions/0009-engines.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from zermelo.engines.partitions.partition import FAR, Report, Task
from zermelo.engines.partitions.terms import Terms
from zermelo.engines.tiers.below import Below


@dataclass(frozen=True)
class Moment:
    """The end of a layer: all partitions have expanded the distance ``depth`` of a phase."""

    phase: int
    depth: int


class Executor(Protocol):
    """Runs the tasks of the program; see :class:`zermelo.engines.partitions.disk.DiskExecutor`."""

    below: Below
    """The messages from lower tiers, which a task gets besides those of the layer before."""

    def phases(self) -> Sequence[int]:
        """The phases that have ends of play, in order."""

    def begin(self, phase: int) -> set[int]:
        """Put the ends of a phase into the queues of their partitions; return these partitions."""

    def run(self, tasks: Sequence[Task]) -> list[Report]:
        """Run the independent tasks of a layer, each with the messages to its partition."""

    def end_layer(self, moment: Moment) -> None:
        """All tasks of a layer have ended: messages can be read now, and a snapshot be taken."""

    def resume(self) -> tuple[Moment, set[int]] | None:
        """Go back to the last snapshot: its moment and the partitions that have something to do."""


def run(terms: Terms, executor: Executor) -> int:
    """Settle everything; return the number of layers."""
    layers, resumed = 0, executor.resume()
    for phase in executor.phases():
        if phase == len(terms.phases) and not terms.agreed_ends:
            continue
        depth = 0
        if resumed is not None:
            moment, active = resumed
            if phase < moment.phase:
                continue
            resumed, depth = None, moment.depth + 1
            if phase != moment.phase:
                active, depth = executor.begin(phase), 0
        else:
            active = executor.begin(phase)
        # What lower tiers tell comes at its distance, even if nothing is left to do until then.
        while (due := executor.below.next(phase, depth)) is not None or active:
            if due is not None and (not active or due[0] == depth):
                depth, receivers = due
                active |= receivers
                due = executor.below.next(phase, depth + 1)
            alone, last = len(active) == 1, FAR if due is None else due[0] - 1
            tasks = [Task(q, phase, depth, alone, last) for q in sorted(active)]
            reports = executor.run(tasks)
            active = {r.partition for r in reports if r.waiting}
            active |= {q for r in reports for q in r.receivers}
            depth = max(r.depth for r in reports)
            executor.end_layer(Moment(phase, depth))
            depth += 1
            layers += 1
    return layers
