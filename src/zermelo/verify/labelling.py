"""Check a labelling that somebody claims, without a solver; one step of the labelling operator.

**Sound.** A labelling of a game G is *G-sound* if the label of every position is the value of the
game that starts there, for the player who starts; for the asymmetric game this is the *A-sound*
bilabelling ([Loewe2004] §3.3). Every sound labelling is *locally consistent*: an end has the label
of its payoff, and elsewhere the label is the best of the inverted labels after a move
([GamesOnGraphs] Definition 2.1).

**Not every consistent labelling is sound.** On a ⇄ b the labels (WIN, LOSE) are consistent, but no
player can end play, so the right labels are (DRAW, DRAW). [GamesOnGraphs] §2.1 has this example;
its Corollary 4.4, that no other labelling satisfies the rules, is false. Only the *least* one is
sound: the one that takes the value of infinite play wherever nothing else is forced.

**The check.** Let ℓ be consistent. A situation whose label is not that of infinite play must be
forced by one side against the other. It is *grounded* if it is an end; or if the forcing side moves
and some move that keeps the label leads to a grounded situation; or if the other side moves and all
moves that keep the label do. The labelling is sound iff all such situations are grounded: then the
order in which they become grounded is the rank that :mod:`zermelo.verify.terminal` needs for its
proof; and in a sound labelling distances are such ranks. The others *support themselves*: each has
its label only because of labels in the same set. The time is O(V + E).

For payoffs other than −1, 0 and +1 the labels are those of the game in which only the sign of a
payoff counts; ``verify()`` of a solution also checks the values.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo._inputs.values import sealed
from zermelo.game import Game, as_game
from zermelo.graph import Graph
from zermelo.labels import AnyArray, BoolArray, Int8Array, Label
from zermelo.objectives.base import Objective
from zermelo.objectives.terminal_form import Layout
from zermelo.solutions.base import Solution
from zermelo.verify.common.labels import Signs, name_of, read_labels, signs_of

SOUND, NOT_LEAST, INCONSISTENT = "sound", "locally consistent but not least", "inconsistent"

LabelsLike = AnyArray | Mapping[Any, Any] | Solution | list[Any] | tuple[Any, ...]


@dataclass(frozen=True)
class LabellingCheck:
    """What :func:`check_labelling` found out.

    Positions are names; where it matters who is to move, they are pairs (name, player to move).
    """

    verdict: str
    """"sound", "locally consistent but not least", or "inconsistent"."""
    reason: str
    """The verdict as a sentence."""
    position: Hashable | None = None
    """The first position where the labelling breaks a rule, and ends come before other positions;
    or the first one of ``support``."""
    support: tuple[Hashable, ...] = ()
    """The positions whose labels only support one another."""

    @property
    def ok(self) -> bool:
        """Whether the labelling is the right one."""
        return self.verdict == SOUND

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        return f"{self.verdict}: {self.reason}"


def check_labelling(
    game: Game | Graph, labels: LabelsLike, objective: Objective | None = None
) -> LabellingCheck:
    """Whether a labelling of a terminal-payoff game is right, and if not, why.

    ``labels`` are what the player to move gets: an array of −1, 0, +1 as ``solution.label``, a
    mapping from names to labels (numbers, ``WIN`` or ``W``, and pairs such as ``D/L`` where it
    matters who is to move), or a solution. The default ``objective`` is that of the game; for a
    graph alone it is normal play.

    >>> import zermelo as zm
    >>> g = Graph.from_edges([("a", "b"), ("b", "a"), ("b", "c"), ("c", "t"), ("d", "d")])
    >>> check_labelling(g, {"a": "D", "b": "D", "c": "W", "t": "L", "d": "D"}).verdict
    'sound'
    >>> check = check_labelling(g, {"a": "L", "b": "W", "c": "W", "t": "L", "d": "D"})
    >>> check.verdict, check.support
    ('locally consistent but not least', ('a', 'b'))
    >>> print(check_labelling(g, [0, 0, 1, 1, 0]))
    inconsistent: position 't': expected LOSE, because play ends there, got WIN
    >>> check_labelling(zm.Game(g, zm.Asymmetric()), zm.solve(g, zm.Asymmetric())).ok
    True
    """
    signs = signs_of(as_game(game, objective), "check_labelling")
    ell = read_labels(signs, labels, None)
    best = _best(signs, ell)
    broken = best != ell
    if broken.any():
        ends = broken & signs.ends
        s = int(np.argmax(ends if ends.any() else broken))
        return LabellingCheck(INCONSISTENT, _broken(signs, ell, best, s), signs.situation(s))
    support = np.flatnonzero(~_grounded(signs, ell)).tolist()
    if support:
        names = tuple(signs.situation(s) for s in support)
        return LabellingCheck(NOT_LEAST, _circular(signs, ell, support), names[0], names)
    return LabellingCheck(SOUND, "every label is the value of the game that starts there")


def labelling_operator(
    game: Game | Graph, labels: LabelsLike, objective: Objective | None = None
) -> Int8Array:
    """One application of the labelling operator Φ of [GamesOnGraphs] Definition 3.1.

    A partial labelling has 0 (DRAW) where nothing is decided. Φ keeps what is decided, gives every
    end its label, and decides each other position that can move to LOSE (it gets WIN), or whose
    moves all lead to WIN (it gets LOSE). Iterated from 0 everywhere it ends at the least fixpoint,
    which is the sound labelling; after t steps it has decided the distances less than t.

    Where infinite play is no draw (as in the asymmetric game), the undecided label is that of
    infinite play, and nothing is kept: every label is computed from those of the successors, as in
    lines 205 to 225 of Figure 3 of [Loewe2004], but for all situations at once. There a label may
    change twice.

    ``labels`` are given as for :func:`check_labelling`; a position that a mapping does not name is
    undecided, so ``{}`` is the bottom element ⊥.

    >>> g = Graph.from_edges([("a", "b"), ("b", "c"), ("d", "d")])
    >>> ell = labelling_operator(g, {}); ell.tolist()
    [0, 0, -1, 0]
    >>> ell = labelling_operator(g, ell); ell.tolist()
    [0, 1, -1, 0]
    >>> labelling_operator(g, ell).tolist()
    [-1, 1, -1, 0]
    """
    signs = signs_of(as_game(game, objective), "labelling_operator")
    ell = read_labels(signs, labels, signs.infinite)
    best = _best(signs, ell)
    if not signs.infinite.any():
        best = np.where(ell != 0, ell, best)
    return sealed(best.astype(np.int8).reshape(signs.shape))


def _best(signs: Signs, ell: Int8Array) -> Int8Array:
    """The label of every end; elsewhere the best label after a move, for the player to move."""
    u, v = signs.moves()
    seen = signs.flip(u, v) * ell[v]
    best = np.full(ell.size, -2, np.int8)
    np.maximum.at(best, u, seen)
    return np.where(signs.ends, signs.pays, best)


def _grounded(signs: Signs, ell: Int8Array) -> BoolArray:
    """Which situations do not only support one another."""
    forced = ell != signs.infinite
    wants = ell > signs.infinite  # whether the player to move forces the label
    u, v = signs.moves()
    keeps = (signs.flip(u, v) * ell[v] == ell[u]) & forced[u] & ~signs.ends[u]
    u, v = u[keeps], v[keeps]
    left = np.bincount(u, minlength=ell.size)
    order = np.argsort(v, kind="stable")
    back, first = u[order], np.searchsorted(v[order], np.arange(ell.size + 1))
    grounded: BoolArray = ~forced | signs.ends
    queue = np.flatnonzero(grounded & forced).tolist()
    # Invariant: the queue has the grounded situations that are forced; left[s] counts the moves of
    # s that keep its label and do not lead to situations whose turn in the queue has come.
    for t in queue:
        for s in back[first[t] : first[t + 1]].tolist():
            left[s] -= 1
            if not grounded[s] and (wants[s] or left[s] == 0):
                grounded[s] = True
                queue.append(s)
    return grounded


def _broken(signs: Signs, ell: Int8Array, best: Int8Array, s: int) -> str:
    wanted, got = name_of(best[s]), name_of(ell[s])
    if signs.ends[s]:
        why = "play ends there"
    else:
        after = signs.after(s)
        same = signs.form.layout is Layout.OWNED
        seen = [int(ell[t]) if same and signs.mover[t] == signs.mover[s] else -int(ell[t])
                for t in after]  # fmt: skip
        t = after[seen.index(int(best[s]))]
        name = signs.graph.name(t >> 1 if signs.doubled else t)
        if best[s] == Label.LOSE:
            why = "every move loses"
        else:
            result = "wins" if best[s] == Label.WIN else "draws"
            better = "" if best[s] == Label.WIN else " and none wins"
            why = f"the move to {name} {result}{better}"
    return f"{signs.place(s)}: expected {wanted}, because {why}, got {got}"


def _circular(signs: Signs, ell: Int8Array, support: list[int]) -> str:
    some = ", ".join(f"{signs.situation(s)} {name_of(ell[s])}" for s in support[:5])
    more = f", … ({len(support):,})" if len(support) > 5 else ""
    return (
        f"these labels only support one another, for play can go on for ever among them: "
        f"{some}{more}"
    )
