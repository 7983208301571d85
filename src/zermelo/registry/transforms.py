"""The table of transformations of games: adding one is one function and one row here.

A function takes a game and parameters, and gives a game; its signature has the parameters. Other
packages add rows through the entry point ``zermelo.transforms``.
"""

from zermelo.registry.table import Row, Table


def _row(name: str, summary: str) -> Row:
    """A row of this package, whose function has the name of the row."""
    return Row(name, summary, f"zermelo.transform.named:{name.replace('-', '_')}")


TRANSFORMS: Table[Row] = Table(
    "transformation",
    "zermelo.transforms",
    (
        _row("reachable", "the part that can be reached from the start, ConCom(G, s)"),
        _row("subgraph", "some positions, and the moves between them"),
        _row("alternating", "positions together with the player to move, A_G or A_G^s"),
        _row("shift", "the game after a walk from the start, whose end is the new start"),
        _row("quotient", "bisimilar positions as one, or the given classes, G/≡"),
        _row("star", "a new position before the start, G_s*"),
        _row("unravel", "the tree of walks from the start, T_G^s, cut at a depth"),
        _row("line-digraph", "moves as positions; no repetition becomes no return"),
        _row("loops-at-terminals", "a loop at every terminal, D′; normal play becomes no return"),
        _row("debut-tree", "the tree of paths from the start; no return becomes normal play"),
        _row("to-parity", "a Büchi or co-Büchi game, or any convention, as parity (max even)"),
        _row("muller-to-parity", "a Muller game as parity, by the Zielonka tree or by records"),
        _row("reach-to-safety", "a reachability game as a safety game of the opponent"),
        _row("safety-to-reach", "a safety game as a reachability game of the opponent"),
        _row("normal-play-to-reach", "normal play as a reachability game: who wins, or who loses"),
        _row("win-lose-draw-to-parity", "normal or misère play as a parity game without draws"),
        _row("parity-to-mean-payoff", "a parity game as a mean-payoff game"),
        _row("parity-to-energy", "a parity game as an energy game"),
        _row("energy-to-mean-payoff", "an energy game as a mean-payoff game with threshold 0"),
        _row("mean-payoff-to-energy", "a mean-payoff game with a threshold as an energy game"),
        _row("mean-payoff-to-discounted", "a mean-payoff game as a discounted game"),
        _row("mean-payoff-to-parity", "a mean-payoff game with a threshold as a parity game"),
    ),
)
