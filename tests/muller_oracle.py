"""A slow, plain oracle of Muller games: latest appearance records, then Zielonka's recursion."""

import random

import zermelo as zm


def solve(graph, objective):
    """The winner of each position.

    A record is a list of colours, the one seen last in front. Seeing a set of colours moves them
    to the front; the hit is the last place that moved. The colours up to the greatest hit that
    occurs infinitely often are those seen infinitely often, so the greatest hit gets a priority of
    the parity of its set's winner.
    """
    rows = objective.colours(graph)
    moves = [graph.successors(v).tolist() for v in range(graph.n)]
    owner = graph.owner.tolist()
    colours = sorted(set().union(*rows, [0]))
    first = [(v, tuple(colours)) for v in range(graph.n)]
    priority, successors = {}, {}
    todo = list(first)
    while todo:
        v, record = state = todo.pop()
        if state in priority:
            continue
        if not moves[v]:
            priority[state], successors[state] = 1 - owner[v], [state]
            continue
        front = [c for c in record if c in rows[v]]
        after = (*front, *(c for c in record if c not in rows[v]))
        hit = max((k + 1 for k, c in enumerate(record) if c in rows[v]), default=0)
        won = wins(objective, rows, frozenset(after[:hit]))
        priority[state] = 2 * hit + (0 if won else 1)
        successors[state] = [(w, after) for w in moves[v]]
        todo += successors[state]
    won = parity(set(priority), successors, priority, {s: owner[s[0]] for s in priority})
    return [0 if s in won else 1 for s in first]


def wins(objective, rows, seen):
    """Whether player 0 wins with these colours; formulas here have no ``!``."""
    if isinstance(objective.acceptance, str):
        return truth(objective.acceptance, seen)
    return seen in objective.acceptance


def truth(text, seen):
    """A formula's truth, by Python itself."""
    names = {"Inf": lambda i: i in seen, "Fin": lambda i: i not in seen, "t": True, "f": False}
    return bool(eval(text.replace("&", " and ").replace("|", " or "), names))


def parity(positions, successors, priority, owner):
    """The positions that player 0 wins, by the textbook's recursion."""
    if not positions:
        return set()
    top = max(priority[s] for s in positions)
    p = top % 2
    head = attractor({s for s in positions if priority[s] == top}, p, positions, successors, owner)
    rest = positions - head
    won = parity(rest, successors, priority, owner)
    others = won if p == 1 else rest - won
    if not others:
        return positions if p == 0 else set()
    lost = attractor(others, 1 - p, positions, successors, owner)
    again = parity(positions - lost, successors, priority, owner)
    return again if p == 0 else again | lost


def attractor(targets, player, positions, successors, owner):
    found = set(targets)
    grown = True
    while grown:
        grown = False
        for s in positions - found:
            inside = [t in found for t in successors[s] if t in positions]
            if any(inside) if owner[s] == player else all(inside):
                found.add(s)
                grown = True
    return found


def random_graph(rng, most=6, *, dead_ends=True):
    n = rng.randint(1, most)
    low = 0 if dead_ends else 1
    edges = [
        (v, w)
        for v in range(n)
        for w in rng.sample(range(n), rng.choice([low, 1, 1, 2, 2, 3]) if n >= 3 else 1)
    ]
    return zm.Graph.from_edges(edges, n=n, owner=[rng.randint(0, 1) for _ in range(n)])


def random_colours(rng, n, k, kind):
    """One colour a position, sets of colours, or one or none."""
    if kind == "one":
        return [rng.randrange(k) for _ in range(n)]
    if kind == "some":
        return [rng.choice([None, *range(k)]) for _ in range(n)]
    return [[c for c in range(k) if rng.random() < 0.4] for _ in range(n)]


def random_family(rng, k):
    share = rng.choice([0.2, 0.5, 0.8])
    return [[c for c in range(k) if x >> c & 1] for x in range(1 << k) if rng.random() < share]


def random_formula(rng, k, depth=3):
    kind = rng.choice(["Inf", "Fin", "|", "&"] if depth else ["Inf", "Fin"])
    if kind in ("Inf", "Fin"):
        return f"{kind}({rng.randrange(k)})"
    parts = [random_formula(rng, k, depth - 1) for _ in range(rng.randint(2, 3))]
    return "(" + f" {kind} ".join(parts) + ")"


def random_game(seed, most=6, colours=4):
    rng = random.Random(seed)
    k = rng.randint(1, colours)
    graph = random_graph(rng, most)
    colour = random_colours(rng, graph.n, k, rng.choice(["one", "some", "sets"]))
    acceptance = random_family(rng, k) if rng.random() < 0.5 else random_formula(rng, k)
    return graph, zm.Muller(colour, acceptance)
