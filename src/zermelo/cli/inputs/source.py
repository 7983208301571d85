"""Games that the command line names: files of graphs, games of ``zermelo games``, ``.py`` files.

In every case a command gets a graph whose positions have readable names, and its objective.
"""

import errno
import os
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import click

import zermelo as zm
from zermelo._runtime.files import is_url
from zermelo.cli.inputs.files import name_of, read_game
from zermelo.cli.inputs.objective import Wish, asked_objective, choose_objective
from zermelo.cli.inputs.parse import find
from zermelo.cli.inputs.rules import load, read_position, running_rules, with_turns
from zermelo.cli.output.progress import Meter
from zermelo.errors import LimitError, ZermeloError
from zermelo.registry import GAMES

MAX_GRAPH_POSITIONS = 200_000
"""A game with more positions than this needs a table: no graph of it is made."""


@dataclass(frozen=True)
class Source:
    """A game, the argument that named it, and its rules if it has any."""

    text: str
    game: "zm.Game"
    rules: Any = None

    @property
    def graph(self) -> "zm.Graph":
        """The graph of the game."""
        return self.game.graph

    @property
    def objective(self) -> "zm.Objective | None":
        """The objective; None for normal play."""
        given = self.game.objective
        return None if isinstance(given, zm.NormalPlay) else given

    @property
    def start(self) -> Hashable | None:
        """Where play starts, if that is known."""
        return self.game.start

    def at_start(self, solution: "zm.Solution") -> "zm.Solution":
        """The solution with the start of the game, unless another start was asked about."""
        import dataclasses

        if self.start is None or solution.start is not None:
            return solution
        return dataclasses.replace(solution, start=self.graph.index(self.start))

    def choose(self, wish: "Wish") -> "zm.Objective":
        """The objective that the command line asks for, else the game's own, else normal play."""
        keyword = asked_objective(wish)
        if self.rules is None or self.objective is None or keyword is None:
            return choose_objective(self.graph, self.objective, wish, self.game.weights())
        if keyword not in ("normal", "misere"):
            raise click.UsageError(
                f"the rules of {self.text} decide who wins at the end, so its objective is normal "
                f"or misere, not {keyword}; zermelo explore {self.text} FILE.json writes its "
                "graph, and zermelo solve FILE.json takes any objective"
            )
        if keyword == "normal":
            return self.objective
        from zermelo.tables.solved import asked_on_graph

        return asked_on_graph(self.graph, self.objective, zm.Misere())

    def find(self, text: str | None, hint: str) -> Hashable | None:
        """The position that a text denotes: by its name, or as the rules read it."""
        if text is None:
            return None

        if self.rules is not None and text not in self.graph:
            try:
                name = self.rules.show(read_position(self.rules, text, hint))
            except ZermeloError as error:
                raise click.UsageError(str(error)) from None
            if name not in self.graph:
                raise click.BadParameter(
                    f"play from the start of {self.text} does not reach {name}", param_hint=hint
                )
            return str(name)
        return find(self.graph, text, hint)


def names_rules(text: str) -> bool:
    """Whether an argument names rules: a game or a Python file, and not a file of a graph.

    >>> names_rules("nim:3,4"), names_rules("my_game.py:Class:3"), names_rules("game.txt")
    (True, True, False)
    """
    if text == "-":
        return False
    if text.endswith(".py") or ".py:" in text:
        return True
    if os.path.lexists(text):
        return False

    return text.partition(":")[0] in GAMES


def open_game(text: str, format_: str | None = None, meter: "Meter | None" = None) -> Source:
    """The game that an argument names."""
    if format_ is None and names_rules(text):
        return from_rules(text, meter)

    if meter is not None:
        meter.stage(f"reading {name_of(text)}")
    if format_ is not None and not os.path.lexists(text) and names_rules(text):
        raise click.UsageError(f"--format is for files, and {text} is a game")
    like_a_game = not (os.path.splitext(text)[1] or os.sep in text) or ":" in text
    if text != "-" and not (os.path.lexists(text) or is_url(text)) and like_a_game:
        raise FileNotFoundError(errno.ENOENT, _no_such(text), text)
    return Source(text, read_game(text, format_))


def require_table(file: str) -> None:
    """Refuse a game if the file of a table is expected."""
    if not os.path.lexists(file) and names_rules(file):
        message = (
            f"no such file; {file} is a game; zermelo build {file} -o FILE makes a table of it"
        )
        raise FileNotFoundError(errno.ENOENT, message, file)


def _no_such(text: str) -> str:
    from difflib import get_close_matches

    close = get_close_matches(text.partition(":")[0], [row.name for row in GAMES], 1)
    meant = f"; did you mean the game {close[0]}?" if close else " (zermelo games lists them)"
    return f"no such file, and no game has this name{meant}"


def read_rules(text: str, meter: "Meter | None" = None, *, no_check: bool | None = None) -> Any:
    """The rules that an argument names; for a partizan game, Left and Right take turns."""
    return with_turns(given_rules(text, meter, no_check=no_check))


def given_rules(text: str, meter: "Meter | None" = None, *, no_check: bool | None = None) -> Any:
    """The rules that an argument names, without turns; the file of a graph is refused."""
    if not names_rules(text) and os.path.lexists(text):
        raise click.UsageError(
            f"expected a game of zermelo games or a Python file of rules, and {text} is neither; "
            f"zermelo solve {text} solves the game in a file"
        )
    return load(text, no_check, meter)


def from_rules(
    text: str,
    meter: "Meter | None" = None,
    rules: Any = None,
    *,
    start: str | None = None,
    limit: int | None = None,
    symmetry: bool = False,
) -> Source:
    """The graph of all positions that play can reach, at most ``limit``.

    By default the limit is ``MAX_GRAPH_POSITIONS``.
    """
    from zermelo.rules.explore import with_shown_names

    rules = read_rules(text, meter) if rules is None else rules
    first = None if start is None else read_position(rules, start, "--start")
    if meter is not None:
        meter.stage(f"exploring {text}")
    try:
        with running_rules(rules):
            game = zm.explore(
                rules, first, limit or MAX_GRAPH_POSITIONS, symmetry=symmetry, progress=meter
            )
            return Source(text, with_shown_names(rules, game), rules)
    except LimitError:
        if limit is not None:
            raise
        raise LimitError(
            f"{text} has more than {MAX_GRAPH_POSITIONS:,} positions, too many for a graph in "
            f"memory; zermelo build {text} -o FILE.zt solves it, and zermelo probe looks positions "
            "up"
        ) from None


def check_impartial(text: str) -> None:
    """Refuse rules without Sprague–Grundy values; the message names the command that fits."""
    rules = given_rules(text)
    if isinstance(rules, zm.PartizanRules):
        raise click.UsageError(
            f"{text} is partizan: Left and Right have different moves, so its values are not "
            f"nimbers; zermelo value {text} shows them, and zermelo solve {text} says who wins"
        )
    turns = with_turns(rules)
    plain = isinstance(turns.objective(), zm.NormalPlay)
    if not plain or not turns.impartial:
        reason = "the players have pieces or aims of their own"
        raise click.UsageError(
            f"{text} is not an impartial game of normal play: "
            f"{reason if plain else 'its rules decide who wins at the end'}, so it has no "
            f"Sprague–Grundy values; {_who_wins(text)}"
        )


def what_fits(text: str, rules: Any) -> str:
    """The command that fits a game in which Left and Right have the same moves."""
    turns = with_turns(rules)
    if turns.impartial and isinstance(turns.objective(), zm.NormalPlay):
        return f"zermelo grundy {text} shows its values"
    return _who_wins(text)


def check_impartial_graph(source: Source) -> None:
    """Refuse a graph without Sprague–Grundy values; the message names the command that fits."""
    text = name_of(source.text)
    if source.objective is not None and source.objective.keyword != "normal":
        raise click.UsageError(
            f"{text} is a game of {source.objective.keyword}, and Sprague–Grundy values are for "
            f"normal play, in which the player who cannot move loses; zermelo solve {source.text} "
            "says who wins"
        )
    if source.graph.owner is not None:
        raise click.UsageError(
            f"in {text} positions have owners, and Sprague–Grundy values are for impartial games, "
            f"in which both players have the same moves; zermelo solve {source.text} says who wins"
        )


def _who_wins(text: str) -> str:
    return f"zermelo solve {text} or, for large games, zermelo build {text} says who wins"
