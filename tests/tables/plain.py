"""Slow, plain, obviously right: explore compiled rules and label them, in dictionaries."""

import numpy as np

OPEN = 2


def options(rules, p):
    """What the moves of a position lead to, none where play is over."""
    if rules.outcome(p) != OPEN:
        return []
    out = np.zeros(max(1, rules.most_moves), np.int64)
    return sorted(set(out[: rules.moves(p, out)].tolist()))


def explore(rules, starts=None):
    """All positions that play can reach, and their moves."""
    waiting = [rules.start()] if starts is None else list(starts)
    moves = {}
    while waiting:
        p = waiting.pop()
        if p not in moves:
            moves[p] = options(rules, p)
            waiting += moves[p]
    return moves


def solve(rules, misere=False, starts=None):
    """Label and distance by position, from the definitions, round by round.

    In round k a position is settled as won if a move leads to a loss of the mover's opponent that
    was settled in round k − 1, and as lost if all do to wins that were settled before.
    """
    moves = explore(rules, starts)
    sign = -1 if misere else 1
    has_players = rules.has("player")

    def seen(p, q):
        """What the mover at p gets at q, of what the mover at q gets."""
        return -1 if not has_players or rules.player(p) != rules.player(q) else 1

    value = {}
    for p, after in moves.items():
        if rules.outcome(p) != OPEN:
            value[p] = (sign * rules.outcome(p), 0)
        elif not after:
            value[p] = (-sign, 0)
    far = 0
    settled = True
    while settled or far <= max((d for _, d in value.values()), default=-1):
        far += 1
        settled = {}
        for p, after in moves.items():
            if p in value:
                continue
            views = [seen(p, q) * value[q][0] if q in value else 0 for q in after]
            if 1 in views:
                settled[p] = (1, far)
            elif all(x == -1 for x in views):
                settled[p] = (-1, far)
        value |= settled
    # Ties: the shortest way to a tied end through positions that nobody wins.
    far = 0
    layer = {p for p, (x, d) in value.items() if x == 0}
    while layer:
        far += 1
        layer = {p for p, after in moves.items() if p not in value and layer & set(after)}
        value |= dict.fromkeys(layer, (0, far))
    return {p: value.get(p, (0, -1)) for p in moves}


def counts(values):
    """What Table.counts() gives."""
    found = {"positions": len(values)}
    found["win"] = sum(x > 0 for x, _ in values.values())
    found["lose"] = sum(x < 0 for x, _ in values.values())
    found["tie"] = sum(x == 0 and d >= 0 for x, d in values.values())
    found["draw"] = sum(x == 0 and d < 0 for x, d in values.values())
    found["longest_win"] = max((d for x, d in values.values() if x > 0), default=-1)
    found["longest_lose"] = max((d for x, d in values.values() if x < 0), default=-1)
    return found
