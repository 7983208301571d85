"""Slow, plain, obviously right answers on parity games, from the definitions and in pure Python.

A game is a tuple (moves, owner, priority): lists by position, the moves as lists. Player 0 wins a
play iff the highest priority seen infinitely often is even; who is stuck has lost. Nothing here
imports a solver, a kernel or a checker, nor asks an objective for its priorities.
"""

import itertools


def game_of(graph, objective):
    """Write down an objective's rules on a graph."""
    moves = [graph.successors(v).tolist() for v in range(graph.n)]
    return moves, graph.owner.tolist(), rules(graph, objective)


def rules(graph, objective):
    """The priorities of an objective, so that the highest counts and even is good for player 0."""
    if objective.keyword == "parity":
        which, parity = objective.convention.split()
        given = [int(x) for x in objective.priority]
        ranked = sorted(set(given), reverse=which == "min")
        good = 0 if parity == "even" else 1
        # The k-th worst becomes 2k or 2k + 1, whichever favours the same player.
        place = {x: 2 * k + (x % 2 != good) for k, x in enumerate(ranked)}
        return [place[x] for x in given]
    chosen, player = set(objective.positions), objective.player
    glad = player if objective.keyword == "buchi" else 1 - player  # who wants to see the set
    # Seeing it counts (4 or 3), whatever else is seen; else the other one wins (1 or 2).
    return [(4 - glad) if v in chosen else (1 + glad) for v in range(graph.n)]


# -------------------------------------------------------------------- Zielonka


def attractor(moves, owner, within, player, target):
    """The positions of ``within`` from which a player can force the token to the target."""
    found = set(target)
    while True:
        more = {
            v
            for v in within - found
            if moves[v]
            and (any if owner[v] == player else all)(w in found for w in moves[v] if w in within)
            and any(w in found for w in moves[v])
        }
        if not more:
            return found
        found |= more


def zielonka(moves, owner, priority):
    """The winner of each position, by Zielonka's recursion on the subgame without dead ends."""
    everything = set(range(len(moves)))
    lost = [set(), set()]
    rest = set(everything)
    for player in (0, 1):  # the opponent attracts to where the player is stuck
        stuck = {v for v in everything if not moves[v] and owner[v] == player}
        lost[player] = attractor(moves, owner, everything, 1 - player, stuck)
        rest -= lost[player]
    won = _recursion(moves, owner, priority, rest)
    return [0 if v in lost[1] or v in won[0] else 1 for v in range(len(moves))]


def _recursion(moves, owner, priority, within):
    if not within:
        return set(), set()
    top = max(priority[v] for v in within)
    player = top % 2
    first = attractor(moves, owner, within, player, {v for v in within if priority[v] == top})
    won = _recursion(moves, owner, priority, within - first)
    if not won[1 - player]:
        return (within, set()) if player == 0 else (set(), within)
    second = attractor(moves, owner, within, 1 - player, won[1 - player])
    won = _recursion(moves, owner, priority, within - second)
    mine, others = won[player], won[1 - player] | second
    return (mine, others) if player == 0 else (others, mine)


# -------------------------------------------------------------------- strategies


def strategies(moves, owner, player):
    """Every positional strategy of a player."""
    mine = [v for v in range(len(moves)) if owner[v] == player and moves[v]]
    for choice in itertools.product(*(moves[v] for v in mine)):
        yield dict(zip(mine, choice, strict=True))


def play(moves, owner, priority, both, v):
    """Who wins when both follow their strategies from v."""
    seen = []
    while v not in seen:
        seen.append(v)
        if not moves[v]:
            return 1 - owner[v]
        v = both[v]
    return max(priority[u] for u in seen[seen.index(v) :]) % 2


def beats_all(game, player, strategy, start):
    """Whether a strategy wins from start against every strategy of the opponent."""
    return all(
        play(*game, strategy | other, start) == player
        for other in strategies(game[0], game[1], 1 - player)
    )


def winners_by_strategies(game):
    """The winner of each position, by all strategies against all; for tiny games."""
    moves, owner, _ = game
    winner = []
    for v in range(len(moves)):
        wins = [any(beats_all(game, p, s, v) for s in strategies(moves, owner, p)) for p in (0, 1)]
        assert wins[0] != wins[1], "parity games are determined, by positional strategies"
        winner.append(0 if wins[0] else 1)
    return winner


def strategy_wins(game, winner, player, strategy):
    """Whether a strategy (moves by position) wins wherever the player is said to win.

    By paths: no walk from there that the opponent can choose leaves the region, ends at the
    player's own position, or goes round a cycle whose highest priority is the opponent's.
    """
    moves, owner, priority = game
    region = {v for v in range(len(moves)) if winner[v] == player}
    left = {v: [strategy[v]] if owner[v] == player else moves[v] for v in region}
    if any(w not in region for v in region for w in left[v]):
        return False
    if any(w not in moves[v] for v in region for w in left[v]):
        return False
    if any(owner[v] == player and not moves[v] for v in region):
        return False
    return not any(
        priority[v] % 2 != player and _returns(left, priority, v, priority[v]) for v in region
    )


def _returns(left, priority, v, top):
    """Whether v can come back to itself through priorities of at most top."""
    seen, waiting = set(), [w for w in left[v] if priority[w] <= top]
    while waiting:
        u = waiting.pop()
        if u not in seen:
            seen.add(u)
            waiting += [w for w in left[u] if priority[w] <= top]
    return v in seen
