"""The coarsest stable refinement of a partition, in O(E log V).

**Two partitions.** ``order`` is a permutation of the positions in which every *block* of the fine
partition is a stretch, and every *union* of the coarse partition is a stretch of whole blocks.
When the first or the last block is taken out of a union, the rest is a stretch again. So no linked
lists are needed.

**Stability.** A block is stable under a set of positions if all of its positions have a move into
the set, or none has. When every union is a single block, the fine partition is stable under itself,
and it is the coarsest such partition that refines the first one.

**Counts.** ``total[number[k]]`` is the number of moves from the source of the move ``k`` into the
union of its target. These counts make "process the smaller half" right for relations: a position
may have moves into both halves, and the larger half is never looked at, so only the count tells
whether the position has a move into it. All moves that share a source and a union share a count.

Reference: [PaigeTarjan1987] §3. Notation, paper → code: Q → the blocks, X → the unions, S → the
union that is split, B → the splitter, count(x, S) → ``total[number[k]]`` for a move k from x to S.
"""

from typing import NamedTuple

from zermelo._kernels.graphs.records import Moves
from zermelo._runtime.compiled.jit import kernel, part
from zermelo.labels import Int32Array, Int64Array


class Positions(NamedTuple):
    """The n positions."""

    order: Int32Array
    """All positions, block by block."""
    facts: Int32Array
    """Four numbers of each position, see PLACE."""


# What ``positions.facts[4 v:]`` holds for the position v: its place in ``order``; its block; how
# many moves it has into the splitter (0 between two splitters), and the number of their count. The
# four are side by side, as are the five of a block, because the predecessors of a splitter lie all
# over the memory: with an array for each, 300,000 positions take 1.25 times as long.
PLACE, BLOCK, HITS, NUMBER = range(4)

# What ``blocks[5 b:]`` holds for the block b: its stretch of ``order``; its union; and how many of
# its positions have been moved to either end of it (0 between two splitters).
START, STOP, UNION, LEFT, RIGHT = range(5)


class Unions(NamedTuple):
    """The unions of the coarse partition; there is room for n."""

    start: Int32Array
    stop: Int32Array
    """A union is ``order[start:stop]``."""
    stack: Int32Array
    """The unions of two or more blocks, each once: ``stack[:state[STACKED]]``."""


class Counts(NamedTuple):
    """The numbers of moves from a position into a union."""

    number: Int32Array
    """Which count belongs to each reverse move."""
    total: Int32Array
    """There is room for one a position and one a move."""


class Touched(NamedTuple):
    """What the present splitter touches; there is room for n of each."""

    positions: Int32Array
    """The positions with a move into the splitter: ``positions[:state[TOUCHED]]``."""
    blocks: Int32Array
    """The blocks of these positions: ``blocks[:state[SPLITS]]``."""


# Slots of the ``state`` array: how many blocks, unions and counts there are, how many unions are on
# the stack, and how many positions and blocks the present splitter touches.
BLOCKS, UNIONS, COUNTS, STACKED, TOUCHED, SPLITS = range(6)
STATE_SIZE = 6


@kernel
def refine(
    predecessors: Moves,
    positions: Positions,
    blocks: Int32Array,
    unions: Unions,
    counts: Counts,
    touched: Touched,
    state: Int64Array,
) -> None:
    """Refine the first ``state[BLOCKS]`` blocks to the coarsest stable partition.

    Requires blocks as :func:`fill_blocks` makes them, stable under the set of all positions, all in
    union 0, which is everything; ``counts.number[k]`` the source of the reverse move ``k``, and
    ``total[u]`` the number of moves of ``u``; zeros elsewhere. In the end the BLOCK of each
    position is the answer, and ``state[BLOCKS]`` the number of blocks.
    """
    state[UNIONS] = 1
    state[COUNTS] = len(positions.order)
    if state[BLOCKS] > 1:
        unions.stack[0] = 0
        state[STACKED] = 1
    # Invariant: the fine partition refines the coarse one and is stable under each of its unions,
    # and every stable refinement of the first partition refines the fine one. The stack holds the
    # unions of two or more blocks, each once.
    while state[STACKED] > 0:
        start, stop = take_splitter(positions, blocks, unions, state)
        find_predecessors(predecessors, positions, counts, touched, state, start, stop)
        if move_to_ends(positions, blocks, counts, touched, state):
            renumber_counts(predecessors, positions, counts, start, stop)
        split_blocks(positions, blocks, unions, touched, state)


@part
def take_splitter(
    positions: Positions, blocks: Int32Array, unions: Unions, state: Int64Array
) -> tuple[int, int]:
    """Make the smaller end block of a union a union of its own; return its stretch of ``order``.

    The block has at most half of the union's positions, so each position is in a splitter at most
    log₂(n) + 1 times.
    """
    order, facts = positions
    union = unions.stack[state[STACKED] - 1]
    low, high = unions.start[union], unions.stop[union]
    first, last = facts[4 * order[low] + BLOCK], facts[4 * order[high - 1] + BLOCK]
    head, tail = blocks[5 * first + STOP], blocks[5 * last + START]
    if head - low <= high - tail:
        splitter, start, stop = first, low, head
        unions.start[union] = head
        if blocks[5 * facts[4 * order[head] + BLOCK] + STOP] == high:  # a single block is left
            state[STACKED] -= 1
    else:
        splitter, start, stop = last, tail, high
        unions.stop[union] = tail
        if blocks[5 * facts[4 * order[tail - 1] + BLOCK] + START] == low:
            state[STACKED] -= 1
    new = state[UNIONS]
    blocks[5 * splitter + UNION] = new
    unions.start[new], unions.stop[new] = start, stop
    state[UNIONS] = new + 1
    return start, stop


@part
def find_predecessors(
    predecessors: Moves,
    positions: Positions,
    counts: Counts,
    touched: Touched,
    state: Int64Array,
    start: int,
    stop: int,
) -> None:
    """List the positions with moves into the splitter, and count these moves."""
    order, facts = positions
    indptr, indices = predecessors.indptr, predecessors.indices
    listed = 0
    for i in range(start, stop):
        v = order[i]
        for k in range(indptr[v], indptr[v + 1]):
            u = indices[k]
            if facts[4 * u + HITS] == 0:
                touched.positions[listed] = u
                listed += 1
                facts[4 * u + NUMBER] = counts.number[k]
            facts[4 * u + HITS] += 1
    state[TOUCHED] = listed


@part
def move_to_ends(
    positions: Positions, blocks: Int32Array, counts: Counts, touched: Touched, state: Int64Array
) -> bool:
    """Move the touched positions to the ends of their blocks; return whether there are new counts.

    Those whose moves into the old union all lead to the splitter gather at the left end, those
    that also have moves into the rest of it at the right end: the latter get a count of their own
    for the splitter.
    """
    order, facts = positions
    total = counts.total
    splits, renewed = 0, False
    for i in range(state[TOUCHED]):
        u = touched.positions[i]
        b = facts[4 * u + BLOCK]
        left, right = blocks[5 * b + LEFT], blocks[5 * b + RIGHT]
        if left == 0 and right == 0:
            touched.blocks[splits] = b
            splits += 1
        old = facts[4 * u + NUMBER]
        if facts[4 * u + HITS] == total[old]:
            target = blocks[5 * b + START] + left
            blocks[5 * b + LEFT] = left + 1
        else:
            target = blocks[5 * b + STOP] - 1 - right
            blocks[5 * b + RIGHT] = right + 1
            new = state[COUNTS]
            total[old] -= facts[4 * u + HITS]
            total[new] = facts[4 * u + HITS]
            facts[4 * u + NUMBER] = new
            state[COUNTS] = new + 1
            renewed = True
        facts[4 * u + HITS] = 0
        at = facts[4 * u + PLACE]
        other = order[target]
        order[target], order[at] = u, other
        facts[4 * u + PLACE], facts[4 * other + PLACE] = target, at
    state[SPLITS] = splits
    return renewed


@part
def renumber_counts(
    predecessors: Moves, positions: Positions, counts: Counts, start: int, stop: int
) -> None:
    """Give the moves into the splitter the numbers of their new counts.

    Positions have only changed places within their blocks, so ``order[start:stop]`` is still the
    same set.
    """
    order, facts = positions
    indptr, indices = predecessors.indptr, predecessors.indices
    for i in range(start, stop):
        v = order[i]
        for k in range(indptr[v], indptr[v + 1]):
            counts.number[k] = facts[4 * indices[k] + NUMBER]


@part
def split_blocks(
    positions: Positions, blocks: Int32Array, unions: Unions, touched: Touched, state: Int64Array
) -> None:
    """Make the two ends and the middle of each touched block blocks of their own."""
    for i in range(state[SPLITS]):
        b = touched.blocks[i]
        low, high = blocks[5 * b + START], blocks[5 * b + STOP]
        left, right = blocks[5 * b + LEFT], blocks[5 * b + RIGHT]
        blocks[5 * b + LEFT] = 0
        blocks[5 * b + RIGHT] = 0
        rest = high - low - left - right
        if rest == high - low or left == high - low or right == high - low:
            continue
        union = blocks[5 * b + UNION]
        if unions.start[union] == low and unions.stop[union] == high:
            unions.stack[state[STACKED]] = union
            state[STACKED] += 1
        # The untouched part keeps the number, or else the larger end: so giving new numbers costs
        # no more than touching did.
        keep_left = rest == 0 and left >= right
        keep_right = rest == 0 and not keep_left
        if left > 0 and not keep_left:
            add_block(positions, blocks, state, low, low + left, union)
            low += left
        if right > 0 and not keep_right:
            add_block(positions, blocks, state, high - right, high, union)
            high -= right
        blocks[5 * b + START], blocks[5 * b + STOP] = low, high


@part
def add_block(
    positions: Positions, blocks: Int32Array, state: Int64Array, start: int, stop: int, union: int
) -> None:
    """Make ``order[start:stop]`` a new block."""
    new = state[BLOCKS]
    for i in range(start, stop):
        positions.facts[4 * positions.order[i] + BLOCK] = new
    blocks[5 * new + START], blocks[5 * new + STOP], blocks[5 * new + UNION] = start, stop, union
    state[BLOCKS] = new + 1


@kernel
def fill_blocks(classes: Int32Array, positions: Positions, blocks: Int32Array) -> int:
    """Make blocks of the first partition by a counting sort; return how many there are.

    Requires ``classes`` numbered 0, 1, … without gaps, and all other arrays zeroed.
    """
    n = len(classes)
    block_count = 0
    for v in range(n):
        b = classes[v]
        if b >= block_count:
            block_count = b + 1
        blocks[5 * b + STOP] += 1
    place = 0
    for b in range(block_count):
        size = blocks[5 * b + STOP]
        blocks[5 * b + START] = place
        blocks[5 * b + STOP] = place
        place += size
    # Invariant: blocks[5 * b + STOP] is where the next position of block b goes.
    for v in range(n):
        b = classes[v]
        place = blocks[5 * b + STOP]
        blocks[5 * b + STOP] = place + 1
        positions.order[place] = v
        positions.facts[4 * v + PLACE] = place
        positions.facts[4 * v + BLOCK] = b
    return block_count


@kernel
def number_by_appearance(given: Int32Array, number: Int32Array, classes: Int32Array) -> int:
    """Renumber ``given`` by first appearance into ``classes``; return the number of classes.

    Requires ``number`` filled with −1, with an entry for every class.
    """
    class_count = 0
    for v in range(len(classes)):
        c = given[v]
        if number[c] < 0:
            number[c] = class_count
            class_count += 1
        classes[v] = number[c]
    return class_count
