"""What the arguments of ``zermelo value`` stand for: expressions, games and files."""

import os
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import click

import zermelo as zm
from zermelo.cli.inputs.files import name_of
from zermelo.cli.inputs.rules import load, read_position, running_rules
from zermelo.cli.inputs.source import what_fits
from zermelo.cli.output.progress import Meter
from zermelo.errors import NotationError, UndefinedError
from zermelo.registry import GAMES

GAME = re.compile(r"[a-z][a-z0-9-]*(:.*)?", re.DOTALL)

Named = Iterator[tuple[str, Any]]
"""Things with their names."""


def is_game(text: str) -> bool:
    """Whether a text names a game; values have no colon, so a name before a colon is a game."""
    if re.search(r"\.py(:|$)", text):
        return True
    if os.path.isfile(text) or not GAME.fullmatch(text):
        return False

    return ":" in text or text in GAMES


class Arguments(NamedTuple):
    """The arguments, the options that say more about them, and what they stand for."""

    what: tuple[str, ...]
    positions: tuple[str, ...]
    no_check: bool
    as_sum: bool
    verify: bool

    def _each(
        self,
        of_game: Callable[[Any, Meter], Callable[[Any], Any]],
        of_file: Callable[[str], Named],
        of_expression: Callable[[str], Any],
    ) -> Named:
        """Read each argument by the function for its kind.

        ``of_game`` makes a function of positions from the rules.
        """
        for text in self.what:
            if is_game(text):
                yield from self._positions(text, of_game)
            elif text == "-" or os.path.isfile(text):
                yield from of_file(text)
            else:
                try:
                    yield text, of_expression(text)
                except NotationError as error:
                    quoted = text if len(text) <= 40 else text[:39] + "…"
                    raise click.UsageError(f"{quoted}: {error.message}") from None

    def _positions(self, text: str, of_game: Callable[[Any, Meter], Callable[[Any], Any]]) -> Named:
        """The positions of a game, by default its start."""
        from zermelo.rules.faults import text_of

        with Meter() as meter:
            rules = load(text, self.no_check, meter)
            if not isinstance(rules, zm.PartizanRules):
                raise click.UsageError(
                    f"expected a game in which Left and Right differ, got {text}; "
                    f"{what_fits(text, rules)}"
                )
            read = of_game(rules, meter)
            wanted = [read_position(rules, x, "--position") for x in self.positions]
            for x in wanted or [rules.start()]:
                meter.stage(f"valuing {text}")
                with running_rules(rules):
                    found = read(x)
                    name = f"{text} {text_of(rules, x)}" if wanted else text
                yield name, found

    def values(self) -> Named:
        """The values."""
        return self._each(self._game_values, self._file_values, self._expression_value)

    def _game_values(self, rules: Any, meter: Meter) -> Callable[[Any], Any]:
        values = zm.game_values(rules, progress=meter)

        def read(x: Any) -> Any:
            v = values[x]
            if self.verify and isinstance(v, zm.Value):
                from zermelo.partizan.certificate import check_rules

                meter.stage("verifying")
                check_rules(rules, x, v.id)
            return v

        return read

    def _file_values(self, path: str) -> Named:
        from zermelo.partizan.loopy.graph_file import read_partizan

        graph = read_partizan(path)
        values = graph.values()
        if self.verify:
            values.verify()
        return zip(map(str, graph.positions), values.value, strict=True)

    def _expression_value(self, text: str) -> Any:
        v = zm.value(text)
        if self.verify and isinstance(v, zm.Value):
            from zermelo.partizan.certificate import check_expression

            check_expression(text, v.id)
        return v

    def components(self) -> Named:
        """Tuples of values: expressions as they are written, all else by its value."""
        from zermelo.partizan.analysis.explanation import components_of

        def of_game(rules: Any, meter: Meter) -> Callable[[Any], Any]:
            read = self._game_values(rules, meter)
            return lambda x: (read(x),)

        def of_file(path: str) -> Named:
            return ((name, (x,)) for name, x in self._file_values(path))

        return self._each(of_game, of_file, components_of)

    def forms(self) -> "Iterator[tuple[str, zm.Literal]]":
        """The forms as they are written, alone or as one sum."""
        from zermelo.partizan.text.literal import write_form

        def of_game(rules: Any, meter: Meter) -> Callable[[Any], Any]:
            return lambda x: write_form(x, rules.left, rules.right)

        pairs = self._each(of_game, _written_file, zm.literal)
        if not self.as_sum:
            yield from pairs
            return
        names, forms = zip(*pairs, strict=True)
        yield " + ".join(names), zm.literal_sum(*forms)


def _written_file(path: str) -> Named:
    """All positions of a file, written out."""
    from zermelo.partizan.loopy.graph_file import read_partizan
    from zermelo.partizan.text.literal import write_form

    graph = read_partizan(path)
    left, right = graph.rows
    for v, name in enumerate(graph.positions):
        try:
            form = write_form(v, left.__getitem__, right.__getitem__)
        except UndefinedError as error:
            raise UndefinedError(f"{name_of(path)}: position {name}: {error}") from None
        yield str(name), form
