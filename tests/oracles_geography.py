"""The games of return and repetition by their plain definition: recursion over all debuts.

Nothing is shared with the package, and nothing is clever: the whole history decides.
"""

import itertools

GAMES = ("no-return", "no-return misere", "return", "no-repetition", "no-repetition misere",
         "repetition")  # fmt: skip


def wins(succ, game, history):
    """Whether the player to move wins after a history of positions (not yet repeated)."""
    v = history[-1]
    arcs = set(itertools.pairwise(history))
    name, _, misere = game.partition(" ")
    if name in ("no-return", "no-repetition"):
        seen = name == "no-return"
        fresh = [w for w in succ[v] if (w not in history if seen else (v, w) not in arcs)]
        if not fresh:
            return bool(misere)
        return any(not wins(succ, game, (*history, w)) for w in fresh)
    if not succ[v]:
        return True
    if any(w in history if name == "return" else (v, w) in arcs for w in succ[v]):
        return True
    return any(not wins(succ, game, (*history, w)) for w in succ[v])


def labels(succ, game):
    """+1 or −1 for every start."""
    return [1 if wins(succ, game, (v,)) else -1 for v in range(len(succ))]


def winning_moves(succ, game, history):
    """All moves that win after a history; a move that repeats is judged by who likes it."""
    v = history[-1]
    arcs = set(itertools.pairwise(history))
    found = []
    for w in succ[v]:
        again = w in history if "return" in game else (v, w) in arcs
        if game in ("return", "repetition") if again else not wins(succ, game, (*history, w)):
            found.append(w)
    return found


def eggs(succ, history):
    """The Sprague–Grundy value of no return after a history."""
    values = {eggs(succ, (*history, w)) for w in succ[history[-1]] if w not in history}
    return next(k for k in itertools.count() if k not in values)
