"""Solve rules with dictionaries: breadth first, then backwards from the ends. Slow and plain."""

from collections import deque

from zermelo._runtime.compiled.bind import flat
from zermelo.rules.compiled import MEMBERS, OPEN


class Plain:
    """The members of compiled rules as plain functions on integers and lists, which are quicker."""

    def __init__(self, rules):
        self.rules = rules
        for name in MEMBERS:
            if rules.has(name) or name in ("outcome", "canonical", "orbit", "tier"):
                setattr(self, name, flat(rules, name).interpreted)

    def options(self, position):
        """What one move leads to."""
        if self.outcome(position) != OPEN:
            return []
        out = [0] * self.rules.most_moves
        return list(dict.fromkeys(out[: self.moves(position, out)]))

    def origins(self, position):
        """The positions with a move to this one."""
        out = [0] * self.rules.most_unmoves
        return out[: self.unmoves(position, out)]


def explored(rules, limit=10**6):
    """All positions that play can reach, and what each one's moves lead to."""
    plain = Plain(rules)
    moves = {rules.start(): None}
    waiting = deque(moves)
    while waiting:
        here = waiting.popleft()
        moves[here] = plain.options(here)
        for there in moves[here]:
            if there not in moves:
                moves[there] = None
                waiting.append(there)
        assert len(moves) <= limit
    return moves


def solved(rules, moves):
    """Label and distance of every position: theory §2, ties and draws as GAMESMAN has them."""
    before = {x: [] for x in moves}
    for x, options in moves.items():
        for y in options:
            before[y].append(x)
    left = {x: len(options) for x, options in moves.items()}
    value = {}
    for x, options in moves.items():
        if not options:
            found = rules.outcome(x)
            value[x] = (-1 if found == OPEN else found, 0)
    front = [x for x in value if value[x][0]]
    distance = 0
    while front:
        distance += 1
        decided = []
        for y in front:
            for x in before[y]:
                if x in value:
                    continue
                left[x] -= 1
                if value[y][0] < 0:
                    value[x] = (1, distance)
                    decided.append(x)
                elif left[x] == 0:
                    value[x] = (-1, distance)
                    decided.append(x)
        # Ends that are won or lost in one count are met in the order of their distance.
        front = decided
    front = [x for x in value if value[x] == (0, 0)]
    distance = 0
    while front:
        distance += 1
        decided = []
        for y in front:
            for x in before[y]:
                if x not in value:
                    value[x] = (0, distance)
                    decided.append(x)
        front = decided
    return {x: value.get(x, (0, -1)) for x in moves}


def summary(rules):
    """The columns of ``golden/computed_games.tsv`` but for the rules."""
    moves = explored(rules)
    value = solved(rules, moves)
    return [len(moves), sum(map(len, moves.values())), *columns([*value.values()])]


def columns(values):
    """Start value and distance, then how many of each kind, then the longest distances."""
    of = {"W": [], "L": [], "T": [], "D": []}
    kinds = []
    for label, distance in values:
        kinds.append("W" if label > 0 else "L" if label < 0 else "D" if distance < 0 else "T")
        of[kinds[-1]].append(distance)
    longest = [max(of[k], default=0) for k in "WLT"]
    return [kinds[0], values[0][1], *(len(of[k]) for k in "WLTD"), *longest]
