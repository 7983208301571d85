"""The places of a picture that one can click, and which of them a move needs.

A place, or cell, of a picture in SVG is an element with the attribute ``data-cell``, its name:
``<g data-cell="b2">…</g>``. Cells are not inside each other. A move has ways: tuples of cells that
a player clicks in turn. One click is enough where no other move has the cell.
"""

import functools
from collections.abc import Collection, Sequence
from typing import Any
from xml.etree import ElementTree

from zermelo._inputs.values import shown
from zermelo.rules.faults import wrong

CELL = "data-cell"

MOST_WAYS = 64
"""The most ways to click one move; others are left out."""


@functools.lru_cache(maxsize=32)
def cells_of(picture: str) -> dict[str, str]:
    """The cells of a picture in their order, each with its own part of the picture.

    >>> from zermelo.rules.loading.games import game
    >>> rules = game("tictactoe")
    >>> list(cells_of(rules.draw(rules.start())))[:4]
    ['a1', 'b1', 'c1', 'a2']
    >>> cells_of("no picture")
    {}
    """
    try:
        root = ElementTree.fromstring(picture)
    except (ElementTree.ParseError, ValueError):
        return {}
    found: dict[str, str] = {}
    for element in root.iter():
        if (name := element.get(CELL)) is not None:
            found[name] = found.get(name, "") + ElementTree.tostring(element, encoding="unicode")
    return found


def cell_names(picture: str) -> list[str]:
    """The names of the cells of a picture, in their order.

    >>> cell_names('<svg><g data-cell="a1"/><g data-cell="b1"/></svg>')
    ['a1', 'b1']
    """
    try:
        root = ElementTree.fromstring(picture)
    except (ElementTree.ParseError, ValueError):
        return []
    return [name for element in root.iter() if (name := element.get(CELL)) is not None]


def is_drawing(picture: str) -> bool:
    """Whether a text is a picture in SVG.

    >>> is_drawing('<svg xmlns="http://www.w3.org/2000/svg"/>'), is_drawing("x.o")
    (True, False)
    """
    try:
        return ElementTree.fromstring(picture).tag.rpartition("}")[2] == "svg"
    except (ElementTree.ParseError, ValueError):
        return False


def changed_cells(before: str, after: str) -> tuple[str, ...]:
    """The cells of a picture that are missing in another picture, or look different there.

    >>> from zermelo.rules.loading.games import game
    >>> rules = game("cram:2x2")
    >>> changed_cells(rules.draw("../.."), rules.draw("##/.."))
    ('a2', 'b2')
    """
    other = cells_of(after)
    return tuple(name for name, part in cells_of(before).items() if other.get(name) != part)


def ways_of(
    rules: Any, position: Any, option: Any, second: bool, cells: Collection[str]
) -> list[list[str]]:
    """The ways to click a move; each way is a list of cells of the picture.

    >>> from zermelo.rules.loading.games import game
    >>> rules = game("nim:2,2")
    >>> ways_of(rules, (2, 2), (1, 2), False, cells_of(rules.draw((2, 2))))
    [['1.2'], ['2.2']]
    """
    given = rules.move_cells(position, option, second)
    if not isinstance(given, list | tuple) or not all(isinstance(x, list | tuple) for x in given):
        message = f"expected tuples of the names of cells, got {shown(given)}"
        raise wrong(rules, "move_cells", message, position)
    ways = dict.fromkeys(tuple(dict.fromkeys(map(str, way))) for way in given)
    return [list(way) for way in ways if way and all(x in cells for x in way)][:MOST_WAYS]


def chosen_moves(
    ways: Sequence[Sequence[Sequence[str]]], clicked: Sequence[str]
) -> tuple[list[int], list[int]]:
    """The moves whose ways begin with the clicked cells, and those that the cells complete.

    A page plays a move if no other can be meant; if several have the same cells, it lists them.

    >>> moves = [[["a1", "a2"]], [["a1", "b2"]], [["b1", "b2"]]]
    >>> chosen_moves(moves, ["a1"]), chosen_moves(moves, ["b2", "a1"])
    (([0, 1], []), ([1], [1]))
    """
    wanted = set(clicked)
    meant = [k for k, some in enumerate(ways) if any(wanted <= set(way) for way in some)]
    exact = [k for k in meant if any(wanted == set(way) for way in ways[k])]
    return meant, exact


def picture_of(rules: Any, position: Any, second: bool) -> str:
    """The picture of a position with the colours of both players, checked to be text.

    >>> from zermelo.rules.loading.games import game
    >>> picture_of(game("nim:1"), (1,), False)[:4]
    '<svg'
    """
    picture = rules.draw_for(position, second)
    if not isinstance(picture, str):
        raise wrong(rules, "draw", f"expected a picture as text, got {shown(picture)}", position)
    return picture
