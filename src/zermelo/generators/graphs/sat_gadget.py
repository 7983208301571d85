"""Satisfiability as a game of no return: player 1 of the game wins iff a formula is satisfiable.

A variable x_i is a diamond: there are moves from u_i to the literals x_i and ¬x_i, and from both to
u_{i + 1}. The last diamond leads to c, which has a move to each clause, and each clause has a move
to each of its literals. The player who begins at u_1 chooses the path through the diamonds, the
opponent chooses a clause, and the first player a literal of it. She wins iff the literal was not on
the path: then the only move of the opponent leads back. So her path has the *false* literals.

Reference: [EdmondsGurvich2010] §3.1, Theorem 1. Notation: w_n → u_{n + 1}. O(size of the formula).
Only the names differ from the paper; an empty clause has no moves. The paper remarks that the
winners of no return and of no repetition are opposite on this graph. That is true for the same path
and literal, but the same player wins both games: in the game of no repetition her path has the
*true* literals, and the opponent is stuck at a literal whose only move is used up. From a literal
that is not on the path, play goes through the diamonds again, and she is stuck at u_{n + 1}.
"""

from collections.abc import Callable, Hashable, Sequence
from pathlib import Path

from zermelo.errors import FormatError, InvalidOptionError
from zermelo.game import Game
from zermelo.generators._options import check_room, make_game
from zermelo.graph import Graph
from zermelo.objectives import NoReturn

EXAMPLE = "p cnf 3 3\n1 -2 3 0\n-1 2 -3 0\n-1 -2 -3 0\n"
"""The formula of the paper's Figure 4."""


def sat_gadget(cnf: str = EXAMPLE, owners: str = "none", seed: int = 0) -> Game:
    """The game of a formula in DIMACS CNF: its text, or the name of a file.

    Positions are ``u1``, ``u2``, …, the literals ``x1``, ``~x1``, …, ``c``, and the clauses ``c1``,
    ``c2``, …; play begins at ``u1``.

    >>> game = sat_gadget("p cnf 1 2  1 0  -1 0")
    >>> game
    Game(no-return on Graph(7 positions, 9 moves, 0 terminals), start u1)
    >>> import zermelo as zm
    >>> zm.solve(game)["u1"].label.name
    'LOSE'
    """
    if not isinstance(cnf, str):
        raise InvalidOptionError(f"cnf: expected a formula or the name of a file, got {cnf!r}")
    variables, clauses = read_dimacs(cnf if "p cnf" in cnf else _text(cnf))
    check_room(3 * variables + 2 + len(clauses), 4 * variables + sum(map(len, clauses)))
    names = [f"u{i}" for i in range(1, variables + 2)]
    names += [literal(s * i) for i in range(1, variables + 1) for s in (1, -1)]
    names += ["c", *(f"c{j}" for j in range(1, len(clauses) + 1))]
    edges: list[tuple[str, str]] = []
    for i in range(1, variables + 1):
        for x in (literal(i), literal(-i)):
            edges += [(f"u{i}", x), (x, f"u{i + 1}")]
    edges.append((f"u{variables + 1}", "c"))
    for j, clause in enumerate(clauses, 1):
        edges.append(("c", f"c{j}"))
        edges += [(f"c{j}", literal(x)) for x in clause]
    graph = Graph.from_edges(edges, names=names)
    turn = [x[0] in "x~" or x == "c" for x in names]
    return make_game(graph, owners, seed, turn, objective=NoReturn(), start=0)


def literal(x: int) -> str:
    """The position of a literal of DIMACS.

    >>> literal(3), literal(-3)
    ('x3', '~x3')
    """
    return f"x{x}" if x > 0 else f"~x{-x}"


def _text(name: str) -> str:
    try:
        return Path(name).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise InvalidOptionError(f"cnf: expected a DIMACS formula or file: {error}") from None


def read_dimacs(text: str) -> tuple[int, list[list[int]]]:
    """The number of variables and the clauses of a formula in DIMACS CNF.

    >>> read_dimacs("c a comment\\np cnf 2 2\\n1 -2 0\\n2\\n0\\n")
    (2, [[1, -2], [2]])
    """
    tokens: list[str] = []
    for line in text.splitlines():
        if line.startswith("%"):  # some collections mark the end of the formula like this
            break
        if not line.startswith("c"):
            tokens += line.split()
    if tokens[:2] != ["p", "cnf"] or len(tokens) < 4:
        raise FormatError('cnf: expected the problem line "p cnf VARIABLES CLAUSES"')
    try:
        variables, count, *numbers = map(int, tokens[2:])
    except ValueError as error:
        raise FormatError(f"cnf: expected numbers after p cnf: {error}") from None
    clauses: list[list[int]] = [[]]
    for x in numbers:
        if abs(x) > variables:
            raise FormatError(f"cnf: expected literals up to {variables}, got {x}")
        if x:
            clauses[-1].append(x)
        else:
            clauses.append([])
    if not clauses[-1]:
        clauses.pop()
    if variables < 0 or len(clauses) != count:
        raise FormatError(f"cnf: expected {count} clauses, got {len(clauses)}")
    return variables, clauses


def assignment(move: Callable[[Sequence[Hashable]], Hashable | None]) -> dict[int, bool]:
    """The assignment that satisfies the formula, read from a winning strategy of the first player.

    The strategy ``move`` is a function of the history.

    >>> import zermelo as zm
    >>> s = zm.solve(sat_gadget("p cnf 2 2  1 -2 0  -1 0"), zm.NoReturn(), start="u1")
    >>> assignment(s.strategy().move)
    {1: False, 2: False}
    """
    chosen: dict[int, bool] = {}
    history: list[Hashable] = ["u1"]
    # Invariant: the history ends at u_i, and variables 1 … i − 1 are assigned.
    while (x := move(history)) != "c":
        i = len(chosen) + 1
        if x not in (literal(i), literal(-i)):
            raise InvalidOptionError(f"expected a move to a literal of variable {i}, got {x!r}")
        chosen[i] = x == literal(-i)
        history += [x, f"u{i + 1}"]
    return chosen
