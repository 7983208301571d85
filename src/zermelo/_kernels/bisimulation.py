"""The coarsest stable refinement of a partition, in O(E log V).

**Two partitions.** ``order`` is a permutation of the positions in which every *block* of the fine
partition is a stretch, and every *union* of the coarse partition is a stretch of whole blocks.
Taking the first or the last block out of a union, whichever is smaller, leaves a stretch: so there
are no linked lists.

**Stability.** A block is stable under a set of positions if all of its positions have a move into
the set, or none has. When every union is a single block, the fine partition is stable under itself,
and it is the coarsest such partition that refines the first one.

**Records.** ``count[record[k]]`` is the number of moves from the source of the move ``k`` into the
union of its target. These counts are what makes "process the smaller half" right for relations:
a position may have moves into both halves, and without the count one could not tell whether it has
any move into the larger half, which is never looked at. All moves that share a source and a union
share a record.

Layout of the scratch arrays, interleaved so that what is used together lies together:

| array       | entries                                                                           |
|-------------|-----------------------------------------------------------------------------------|
| `positions` | 4 v: place in ``order``, block, moves into the splitter, record of these          |
| `blocks`    | 5 b: first place, place after the last, union, positions moved to its left, right |
| `unions`    | 2 x: first place, place after the last                                            |
| `work`      | stack of unions with several blocks; touched positions; touched blocks (n each)   |
"""

from zermelo._runtime.jit import kernel
from zermelo.labels import Int32Array, Int64Array


@kernel
def refine(
    rev_indptr: Int64Array,
    rev_indices: Int32Array,
    record: Int32Array,
    count: Int32Array,
    order: Int32Array,
    positions: Int32Array,
    blocks: Int32Array,
    unions: Int32Array,
    work: Int32Array,
    block_count: int,
) -> int:
    """Refine the first ``block_count`` blocks to the coarsest stable partition; count its blocks.

    Requires the blocks in ``order``, ``positions`` (place and block) and ``blocks`` (stretch and
    union 0), stable under the set of all positions; zeros elsewhere in the latter two; the union 0
    of everything; ``record[k]`` the source of the reverse move ``k`` and ``count[u]`` the moves of
    ``u``. ``count`` has room for one record a move more. ``positions[4 v + 1]`` is the answer.
    """
    n = len(order)
    records = n
    union_count = 1
    touched, splits = n, 2 * n
    stacked = 0
    if block_count > 1:
        work[0] = 0
        stacked = 1
    # Invariant: the fine partition refines the coarse one and is stable under each of its unions,
    # and every stable refinement of the first partition refines the fine one. The stack holds the
    # unions of two or more blocks, each once.
    while stacked > 0:
        union = work[stacked - 1]
        low, high = unions[2 * union], unions[2 * union + 1]
        first = positions[4 * order[low] + 1]
        last = positions[4 * order[high - 1] + 1]
        head, tail = blocks[5 * first + 1], blocks[5 * last]
        # The splitter [start, stop) becomes a union of its own. It has at most half of the union's
        # positions, so a position is in a splitter at most log2(n) + 1 times.
        if head - low <= high - tail:
            splitter, start, stop = first, low, head
            unions[2 * union] = head
            if blocks[5 * positions[4 * order[head] + 1] + 1] == high:
                stacked -= 1
        else:
            splitter, start, stop = last, tail, high
            unions[2 * union + 1] = tail
            if blocks[5 * positions[4 * order[tail - 1] + 1]] == low:
                stacked -= 1
        blocks[5 * splitter + 2] = union_count
        unions[2 * union_count] = start
        unions[2 * union_count + 1] = stop
        union_count += 1

        touched_count = 0
        for i in range(start, stop):
            v = order[i]
            for k in range(rev_indptr[v], rev_indptr[v + 1]):
                u = 4 * rev_indices[k]
                if positions[u + 2] == 0:
                    work[touched + touched_count] = rev_indices[k]
                    touched_count += 1
                    positions[u + 3] = record[k]
                positions[u + 2] += 1

        # Three ways: positions whose moves into the old union all go to the splitter gather at the
        # left of their blocks, those that also have moves into the rest at the right.
        split_count = 0
        renewed = 0
        for i in range(touched_count):
            u = work[touched + i]
            hits, old = positions[4 * u + 2], positions[4 * u + 3]
            positions[4 * u + 2] = 0
            b = positions[4 * u + 1]
            left, right = blocks[5 * b + 3], blocks[5 * b + 4]
            if left == 0 and right == 0:
                work[splits + split_count] = b
                split_count += 1
            if hits == count[old]:
                target = blocks[5 * b] + left
                blocks[5 * b + 3] = left + 1
            else:
                target = blocks[5 * b + 1] - 1 - right
                blocks[5 * b + 4] = right + 1
                count[old] -= hits
                count[records] = hits
                positions[4 * u + 3] = records
                records += 1
                renewed = 1
            place = positions[4 * u]
            other = order[target]
            order[target], order[place] = u, other
            positions[4 * u], positions[4 * other] = target, place

        # Positions only changed places within their blocks, so the splitter is the same set still.
        if renewed:
            for i in range(start, stop):
                v = order[i]
                for k in range(rev_indptr[v], rev_indptr[v + 1]):
                    record[k] = positions[4 * rev_indices[k] + 3]

        for i in range(split_count):
            b = work[splits + i]
            low, high = blocks[5 * b], blocks[5 * b + 1]
            left, right = blocks[5 * b + 3], blocks[5 * b + 4]
            blocks[5 * b + 3] = 0
            blocks[5 * b + 4] = 0
            rest = high - low - left - right
            if rest == high - low or left == high - low or right == high - low:
                continue
            union = blocks[5 * b + 2]
            if unions[2 * union] == low and unions[2 * union + 1] == high:
                work[stacked] = union
                stacked += 1
            # The untouched part keeps the number, else the larger one: relabelling costs no more
            # than touching did.
            keep_left = rest == 0 and left >= right
            keep_right = rest == 0 and not keep_left
            if left > 0 and not keep_left:
                for j in range(low, low + left):
                    positions[4 * order[j] + 1] = block_count
                blocks[5 * block_count] = low
                blocks[5 * block_count + 1] = low + left
                blocks[5 * block_count + 2] = union
                block_count += 1
                low += left
            if right > 0 and not keep_right:
                for j in range(high - right, high):
                    positions[4 * order[j] + 1] = block_count
                blocks[5 * block_count] = high - right
                blocks[5 * block_count + 1] = high
                blocks[5 * block_count + 2] = union
                block_count += 1
                high -= right
            blocks[5 * b], blocks[5 * b + 1] = low, high
    return block_count


@kernel
def fill_blocks(
    classes: Int32Array, order: Int32Array, positions: Int32Array, blocks: Int32Array
) -> int:
    """Lay out the first partition by a counting sort; count its blocks.

    Requires ``classes`` numbered 0, 1, … without gaps and ``positions``, ``blocks`` zeroed.
    """
    n = len(classes)
    block_count = 0
    for v in range(n):
        b = classes[v]
        if b >= block_count:
            block_count = b + 1
        blocks[5 * b + 1] += 1
    place = 0
    for b in range(block_count):
        size = blocks[5 * b + 1]
        blocks[5 * b] = place
        blocks[5 * b + 1] = place
        place += size
    # Invariant: blocks[5 b + 1] is where the next position of block b goes.
    for v in range(n):
        b = classes[v]
        place = blocks[5 * b + 1]
        blocks[5 * b + 1] = place + 1
        order[place] = v
        positions[4 * v] = place
        positions[4 * v + 1] = b
    return block_count


@kernel
def number_by_appearance(
    given: Int32Array, stride: int, offset: int, number: Int32Array, classes: Int32Array
) -> int:
    """Renumber ``given[stride v + offset]`` by first appearance; count the classes.

    Requires ``number`` filled with −1, with an entry for every class; fills ``classes``.
    """
    found = 0
    for v in range(len(classes)):
        c = given[stride * v + offset]
        if number[c] < 0:
            number[c] = found
            found += 1
        classes[v] = number[c]
    return found
