"""Spread thin layers of a backward wave from a queue: those of long lines of play.

Where a layer has few positions, a scan of all entries costs more than what it finds. Here the
positions of the next layer are listed as they are settled, and the wave goes from list to list,
layer after layer in one call. A position of the list is spread by the same kernels, as a scan of
one slot.
"""

from typing import NamedTuple

from zermelo._kernels.tables.begin import LONGEST, Scratch, Step, Table
from zermelo._kernels.tables.wave import spread
from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import Int64Array


class Queue(NamedTuple):
    """The positions that the wave will spread next."""

    slots: Int64Array
    """Those of the present layer, in the first ``place[COUNT]`` elements."""
    waiting: Int64Array
    """Slots of positions that were settled before at a greater distance, the nearest first."""
    far: Int64Array
    """The distances of those."""
    place: Int64Array
    """See LAYER."""


LAYER, COUNT, NEXT = 0, 1, 2
"""The present layer, the number of its positions, and how many of ``waiting`` were taken."""


@kernel
def follow(
    table: Table, scratch: Scratch, queue: Queue, parts: Int64Array, last: int, step: Step
) -> None:
    """Spread layer after layer, up to the one before ``last``.

    ``parts`` says what each layer spreads, in turn: a kind, an action, and what entries have
    instead of the layer where labels are alone. The rest is as in ``step``.
    """
    slots, place = queue.slots, queue.place
    bits, half, fresh, t, tiered, mixed, sign, _, _, _ = step
    while take_waiting(queue, last):
        for k in range(0, len(parts), 3):
            low = parts[k + 2] if fresh else place[LAYER]
            part = Step(bits, half, fresh, t, tiered, mixed, sign, parts[k + 1], parts[k], low)
            for x in range(place[COUNT]):
                spread(table, scratch, slots[x], slots[x] + 1, part)
        if not take_fresh(queue, scratch, fresh == 0):
            break


@kernel
def take_waiting(queue: Queue, last: int) -> bool:
    """Add the waiting positions of the layer to the queue; return whether it can be spread.

    Empty layers are passed over.
    """
    slots, waiting, far, place = queue
    at = place[NEXT]
    if place[COUNT] == 0 and at < len(far):
        place[LAYER] = max(place[LAYER], far[at])
    if place[LAYER] >= last:
        return False
    while at < len(far) and far[at] <= place[LAYER] and place[COUNT] < len(slots):
        slots[place[COUNT]] = waiting[at]
        place[COUNT] += 1
        at += 1
    place[NEXT] = at
    return place[COUNT] > 0 and (at == len(far) or far[at] > place[LAYER])  # type: ignore[no-any-return]


@kernel
def take_fresh(queue: Queue, scratch: Scratch, by_distance: bool) -> bool:
    """Go on to the next layer; return whether the queue has all of its positions.

    It does not if they were too many for the list, or if one was settled at a greater distance.
    """
    fresh, place = scratch.fresh, queue.place
    many = fresh[0]
    place[LAYER] += 1
    farther = by_distance and scratch.tally[LONGEST] > place[LAYER]
    if many >= len(fresh) or many > len(queue.slots) or farther:
        return False
    for x in range(many):
        queue.slots[x] = fresh[1 + x]
    place[COUNT], fresh[0] = many, 0
    return True
