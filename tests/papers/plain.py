"""The games of the papers by their definitions, in plain Python: lists of successors in, no solver.

Everything here is for graphs of a few positions; nothing is shared with the package.
"""

import itertools

LOSE, DRAW, WIN = -1, 0, 1

# ------------------------------------------------- terminal payoffs: [Loewe2004], [GamesOnGraphs]

SYMMETRIC = (LOSE, WIN, DRAW)
ASYMMETRIC = (DRAW, WIN, LOSE)
"""What player 0 gets if she is stuck, if player 1 is stuck, and from infinite play."""


def digraphs(n, loops=True):
    """The successors of each position, for every digraph on n positions."""
    arcs = [(u, v) for u in range(n) for v in range(n) if loops or u != v]
    for chosen in itertools.product((False, True), repeat=len(arcs)):
        taken = list(itertools.compress(arcs, chosen))
        yield [[w for u, w in taken if u == v] for v in range(n)]


def size(succ):
    """Positions and moves, by which graphs are compared."""
    return len(succ), sum(map(len, succ))


def payoff(succ, v, player, game=SYMMETRIC):
    """What player 0 gets under best play from v, with ``player`` to move there.

    A side can force an end that is better for it than infinite play iff it can do so within as many
    plies as there are situations.
    """
    stuck_0, stuck_1, infinite = game

    def forces(v, mover, side, wanted, plies):
        if not succ[v]:
            return wanted((stuck_0, stuck_1)[mover])
        if plies == 0:
            return False
        after = (forces(w, 1 - mover, side, wanted, plies - 1) for w in succ[v])
        return any(after) if mover == side else all(after)

    plies = 2 * len(succ)
    for value in sorted({stuck_0, stuck_1}, reverse=True):
        if value > infinite and forces(v, player, 0, lambda x, y=value: x >= y, plies):
            return value
    for value in sorted({stuck_0, stuck_1}):
        if value < infinite and forces(v, player, 1, lambda x, y=value: x <= y, plies):
            return value
    return infinite


def labels(succ):
    """What the player to move gets under normal play, for every position."""
    return [payoff(succ, v, 0) for v in range(len(succ))]


def consistent(succ, label):
    """Whether a labelling satisfies the rules of [GamesOnGraphs] Definition 2.1 everywhere."""
    for v, after in enumerate(succ):
        if any(label[w] == LOSE for w in after):
            wanted = WIN
        else:
            wanted = LOSE if all(label[w] == WIN for w in after) else DRAW
        if label[v] != wanted:
            return False
    return True


def nmfl(succ):
    """[Loewe2004] Figure 3, line by line: the bilabelling, and the index of every label."""
    inbound = [[u for u, after in enumerate(succ) if v in after] for v in range(len(succ))]
    ell = [[LOSE, WIN] for _ in succ]
    index = [[0, 0] for _ in succ]
    clock = itertools.count(1)

    def assign(v, e, value):
        ell[v][e], index[v][e] = value, next(clock)

    def label(v, e):
        best = max((-ell[w][1 - e] for w in succ[v]), default=LOSE)
        if ell[v][e] != best:
            assign(v, e, best)
            for u in inbound[v]:
                label(u, 1 - e)

    for v, after in enumerate(succ):
        if not after:
            for e, value in ((0, DRAW), (1, LOSE)):
                assign(v, e, value)
                for u in inbound[v]:
                    label(u, 1 - e)
    return ell, index


# ------------------------------------------------- return and repetition: [EdmondsGurvich2010]

FOUR = ("no-return", "return", "no-repetition", "repetition")


def moves_after(succ, game, history):
    """The moves after a history of positions, each with whether it repeats."""
    arcs = set(itertools.pairwise(history))
    v = history[-1]
    by_position = game.endswith("return")
    return [(w, w in history if by_position else (v, w) in arcs) for w in succ[v]]


def wins(succ, game, history):
    """Whether the player to move wins; a stuck player counts as one who must repeat."""
    repeating_wins = not game.startswith("no-")
    after = moves_after(succ, game, history)
    if not after:
        return repeating_wins
    return any(
        repeating_wins if again else not wins(succ, game, (*history, w)) for w, again in after
    )


def wins_by_position(succ, game, start, player):
    """Whether player 0 (who begins) or 1 has a winning strategy with one move at each position.

    All moves of the opponent are followed; the move at a position is chosen when it is first
    needed, and every choice is tried.
    """
    repeating_wins = not game.startswith("no-")

    def holds(open_, choice):
        if not open_:
            return True
        history, *rest = open_
        mine = (len(history) - 1) % 2 == player
        after = moves_after(succ, game, history)
        if not after:
            return repeating_wins == mine and holds(rest, choice)
        if not mine:
            fresh = [(*history, w) for w, again in after if not again]
            if repeating_wins and any(again for _, again in after):
                return False
            return holds(fresh + rest, choice)
        v = history[-1]
        for w, again in after:
            if choice.get(v, w) != w or (again and not repeating_wins):
                continue
            if holds(rest if again else [(*history, w), *rest], {**choice, v: w}):
                return True
        return False

    return holds([(start,)], {})


def grundy(succ, history):
    """The Sprague–Grundy value of no return after a history: the least value no move leads to."""
    after = moves_after(succ, "no-return", history)
    values = {grundy(succ, (*history, w)) for w, again in after if not again}
    return next(k for k in itertools.count() if k not in values)


def reached(succ):
    """For each position, the set of positions that can be reached from it."""
    sets = [{v, *after} for v, after in enumerate(succ)]
    for _ in succ:
        sets = [set().union(*(sets[w] for w in known)) for known in sets]
    return sets


def symacyclic_games(n):
    """Symacyclic digraphs on n positions that are all reached from position 0, without loops.

    Ordered by strong component, every arc goes up, or has its reverse; so each such digraph is one
    of these up to the names of its positions.
    """
    pairs = list(itertools.combinations(range(n), 2))
    for kinds in itertools.product(range(3), repeat=len(pairs)):
        succ = [[] for _ in range(n)]
        for (u, v), kind in zip(pairs, kinds, strict=True):
            if kind:
                succ[u].append(v)
            if kind == 2:
                succ[v].append(u)
        sets = reached(succ)
        if len(sets[0]) == n and all(
            v in succ[w] for v, after in enumerate(succ) for w in after if v in sets[w]
        ):
            yield succ


def bipartite_games(n):
    """Bipartite digraphs on n positions; position 0 is the start."""
    for left in range(1, n + 1):
        sides = [v < left for v in range(n)]
        arcs = [(u, v) for u in range(n) for v in range(n) if sides[u] != sides[v]]
        for chosen in itertools.product((False, True), repeat=len(arcs)):
            taken = list(itertools.compress(arcs, chosen))
            succ = [[w for u, w in taken if u == v] for v in range(n)]
            if len(reached(succ)[0]) == n:
                yield succ
