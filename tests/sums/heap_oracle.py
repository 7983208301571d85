"""Nim-values of heap games from their definition, as slow and plain as can be."""


def oracle_options(n, digits, tail=0, unequal=False):
    """All options of a heap of n, as sorted tuples of heaps that are not empty."""
    found = set()
    for i in range(n + 1):
        d = digits[i] if i < len(digits) else tail
        for parts in range(4):
            if d >> parts & 1:
                found |= {x for x in partitions(n - i, parts)
                          if not (unequal and parts == 2 and x[0] == x[1])}  # fmt: skip
    return found


def partitions(total, parts, least=1):
    """All ways to write a total as a sum of so many positive numbers, in rising order."""
    if parts == 0:
        return [()] if total == 0 else []
    return [
        (a, *others)
        for a in range(least, total // parts + 1)
        for others in partitions(total - a, parts - 1, a)
    ]


def oracle_values(n, digits, tail=0, unequal=False):
    """The nim-values of heaps 0, …, n."""
    values = []
    for heap in range(n + 1):
        seen = set()
        for option in oracle_options(heap, digits, tail, unequal):
            total = 0
            for a in option:
                total ^= values[a]
            seen.add(total)
        values.append(next(x for x in range(len(seen) + 1) if x not in seen))
    return values
