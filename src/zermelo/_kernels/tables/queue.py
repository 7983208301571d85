"""Thin layers of a backward wave, from a queue: the layers of long lines of play.

Where a layer has few positions, a scan of all entries costs more than what it finds. Here the
positions of the next layer are listed as they are settled, and the wave goes from list to list,
layer after layer in one call. A position of the list is spread by the same kernels, as a scan of
one slot.
"""

from typing import NamedTuple

from zermelo._kernels.tables.begin import LONGEST, Scratch, Table
from zermelo._kernels.tables.wave import Backward, Layer, spread, spread_stored
from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import AnyArray, Int64Array


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


class Thin(NamedTuple):
    """What a call does."""

    parts: Int64Array
    """What each layer spreads: kinds, actions and, for labels alone, what entries have instead of
    the layer, in turn."""
    last: int
    """The first layer that is not spread."""
    bits: int
    half: int
    fresh: int
    tier: int
    tiered: bool
    mixed: bool
    """See :class:`~zermelo._kernels.tables.wave.Layer`."""


@kernel
def follow(table: Table, scratch: Scratch, queue: Queue, value: AnyArray, thin: Thin) -> None:
    """Spread layer after layer; the positions before are those that ``unmoves`` gives."""
    slots, place = queue.slots, queue.place
    while take_waiting(queue, thin):
        for k in range(0, len(thin.parts), 3):
            layer = part_of(thin, k, place[LAYER], value)
            for x in range(place[COUNT]):
                spread(table, scratch, value, slots[x], slots[x] + 1, layer)
        if not take_fresh(queue, scratch, thin):
            break


@kernel
def follow_stored(
    table: Table, scratch: Scratch, queue: Queue, value: AnyArray, thin: Thin, moves_back: Backward
) -> None:
    """Spread layer after layer; the positions before are read from a list."""
    slots, place = queue.slots, queue.place
    while take_waiting(queue, thin):
        for k in range(0, len(thin.parts), 3):
            layer = part_of(thin, k, place[LAYER], value)
            for x in range(place[COUNT]):
                spread_stored(table, scratch, moves_back, value, slots[x], slots[x] + 1, layer)
        if not take_fresh(queue, scratch, thin):
            break


@kernel
def take_waiting(queue: Queue, thin: Thin) -> bool:
    """Add the waiting positions of the layer to the queue; whether there is a layer to spread.

    A layer that would be empty is passed over.
    """
    slots, waiting, far, place = queue
    at = place[NEXT]
    if place[COUNT] == 0 and at < len(far):
        place[LAYER] = max(place[LAYER], far[at])
    if place[LAYER] >= thin.last:
        return False
    while at < len(far) and far[at] <= place[LAYER] and place[COUNT] < len(slots):
        slots[place[COUNT]] = waiting[at]
        place[COUNT] += 1
        at += 1
    place[NEXT] = at
    return place[COUNT] > 0 and (at == len(far) or far[at] > place[LAYER])  # type: ignore[no-any-return]


@kernel
def part_of(thin: Thin, k: int, far: int, value: AnyArray) -> Layer:
    """The part ``k`` of a layer; its entry is written to ``value``."""
    low = thin.parts[k + 2] if thin.fresh else far
    value[0] = thin.parts[k] << thin.bits | low
    action = thin.parts[k + 1]
    return Layer(thin.bits, thin.half, thin.fresh, action, thin.tier, thin.tiered, thin.mixed)


@kernel
def take_fresh(queue: Queue, scratch: Scratch, thin: Thin) -> bool:
    """Go on to the next layer; whether the queue has all of its positions.

    It has not if they were too many for the list, or if one was settled at a greater distance.
    """
    fresh, place = scratch.fresh, queue.place
    many = fresh[0]
    place[LAYER] += 1
    farther = thin.fresh == 0 and scratch.tally[LONGEST] > place[LAYER]
    if many >= len(fresh) or many > len(queue.slots) or farther:
        return False
    for x in range(many):
        queue.slots[x] = fresh[1 + x]
    place[COUNT], fresh[0] = many, 0
    return True
