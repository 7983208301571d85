"""Pong Hau K'i, a Chinese and Korean children's game, solved from its rules.

Two men each on five points; slide one to the empty point; who cannot move loses. A position is a
string with the mover's men as x, the other's as o.
"""

from itertools import permutations

import zermelo as zm

LINES = ["02", "03", "12", "14", "23", "24", "34"]  # point 2 is the middle
SWAP = str.maketrans("xo", "ox")


def moves(p: str) -> list[str]:
    """All positions one move away, with x and o swapped for the next player."""
    found = []
    for a, b in LINES + [line[::-1] for line in LINES]:
        if p[int(a)] == "x" and p[int(b)] == ".":
            q = list(p)
            q[int(a)], q[int(b)] = ".", "x"
            found.append("".join(q).translate(SWAP))
    return found


if __name__ == "__main__":
    positions = sorted({"".join(p) for p in permutations("xxoo.")})
    g = zm.Graph.from_edges([(p, q) for p in positions for q in moves(p)], names=positions)
    s = zm.solve(g).verify()
    print(s)
    print(s["xx.oo"])
    print(s.line("xx.oo"))
