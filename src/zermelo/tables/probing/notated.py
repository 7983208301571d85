"""Answers of solved games in words and pictures, as the rules write moves and results."""

from collections.abc import Callable
from functools import partial
from typing import Any

from zermelo._inputs import page
from zermelo.labels import NO_DISTANCE
from zermelo.rules.base import as_rules, defines
from zermelo.rules.faults import blaming
from zermelo.rules.notation import in_words, second_moves
from zermelo.rules.partizan.base import Turns
from zermelo.solutions.answers import Answer, Notated


class ByRules(Notated):
    """A position of rules; ``best`` finds its best moves, as the rules have positions.

    ``usual`` says that winning means what the rules say, so that they can put it in words, and
    ``conversion`` that distances are those to conversion.
    """

    def __init__(
        self, rules: Any, own: Any, best: Callable[[], list[Any]], usual: bool,
        conversion: bool = False,
    ) -> None:  # fmt: skip
        self.rules, self.own, self.best, self.usual = as_rules(rules), own, best, usual
        self.conversion = conversion

    def __reduce__(self) -> tuple[Any, ...]:
        """What copies and pickles are made of: the best moves, not the game that finds them."""
        best: Callable[[], list[Any]] = partial(list, self.best())
        return ByRules, (self.rules, self.own, best, self.usual, self.conversion)

    @property
    def names_moves(self) -> bool:
        """Whether the rules have names for moves."""
        return names_moves(self.rules)

    def move_names(self) -> tuple[tuple[str, ...], ...]:
        """The best moves in all notations."""
        with blaming(self.rules):
            second = second_moves(self.rules, self.own)
            return tuple(self.rules.move_names(self.own, x, second) for x in self.best())

    def verdict(self, answer: Answer) -> str:
        """The result in words."""
        with blaming(self.rules):
            if self.usual and defines(self.rules, "verdict"):
                value = self.own, int(answer.label), answer.distance
                return in_words(self.rules, *value, conversion=self.conversion)
        to, far = ", conversion" if self.conversion else "", answer.forced_distance
        return f"{answer.label.name}{f'{to} in {far}' if far != NO_DISTANCE else ''}"

    def draw(self) -> str:
        """The picture of the position, in SVG."""
        with blaming(self.rules):
            return str(self.rules.draw(self.own))

    def text(self, answer: Answer) -> str:
        """The whole answer in words."""
        mover = "" if answer.player is None else f", player {int(answer.player)} to move"
        shown = answer.show(answer.position)
        if self.names_moves:
            moves = ", ".join(map(spelled, self.move_names()))
        else:
            moves = ", ".join(map(answer.show, answer.best_moves))
        return f"{shown}{mover}: {self.verdict(answer)}" + (f" by {moves}" if moves else "")

    def html(self, answer: Answer) -> str:
        """The picture, with the answer below it."""
        return page.block(self.draw(), page.caption(self.text(answer), 600))


def names_moves(rules: Any) -> bool:
    """Whether rules have names for moves.

    >>> import zermelo as zm
    >>> names_moves(zm.game("tictactoe")), names_moves(zm.game("nim:3"))
    (True, False)
    """
    board = rules.rules if isinstance(rules, Turns) else rules
    return defines(board, "describe") or defines(board, "move_names")


def spelled(names: tuple[str, ...]) -> str:
    """A move in all notations: the usual one first, others in brackets.

    >>> spelled(("Kd6", "d5d6")), spelled(("b2",))
    ('Kd6 (d5d6)', 'b2')
    """
    others = f" ({', '.join(names[1:])})" if names[1:] else ""
    return names[0] + others
