"""Every game of the registry draws its positions, as SVG and as text, and reads its own moves."""

import random
import re
from xml.etree import ElementTree

import pytest

from zermelo.registry import GAMES
from zermelo.rules.base import as_rules, defines
from zermelo.rules.faults import unwrapped
from zermelo.rules.loading.games import game
from zermelo.rules.notation import second_moves
from zermelo.rules.picture import Picture

ROWS = [pytest.param(row, id=row.name) for row in GAMES]
SVG = "{http://www.w3.org/2000/svg}"


def some_positions(rules, walks=3, steps=6):
    """The start, and positions of random plays."""
    chance = random.Random(7)
    found = {rules.start(): 0}
    for _ in range(walks):
        position = rules.start()
        for ply in range(1, steps + 1):
            if not (options := rules.options(position)):
                break
            position = chance.choice(options)
            found.setdefault(position, ply)
    return found


def corners(element):
    """Points that a shape reaches, if its attributes tell."""
    number = {k: float(x) for k, x in element.items() if re.fullmatch(r"-?[\d.]+", x)}
    tag = element.tag.removeprefix(SVG)
    if tag == "circle":
        r = number["r"]
        yield number["cx"] - r, number["cy"] - r
        yield number["cx"] + r, number["cy"] + r
    elif tag == "rect":
        x, y = number.get("x", 0), number.get("y", 0)
        yield x, y
        yield x + number["width"], y + number["height"]
    elif tag == "text":
        yield number["x"], number["y"]


@pytest.mark.parametrize("row", ROWS)
def test_pictures_are_sound(row):
    rules = as_rules(game(row.example))
    pictures = set()
    positions = some_positions(rules)
    for position in positions:
        picture = rules.draw(position)
        assert isinstance(picture, Picture)
        assert picture._repr_svg_() == picture
        pictures.add(picture)
        root = ElementTree.fromstring(picture)
        assert root.tag == f"{SVG}svg"
        left, top, wide, tall = map(float, root.get("viewBox").split())
        assert (left, top) == (0, 0)
        assert (float(root.get("width")), float(root.get("height"))) == (wide, tall)
        assert 0 < wide <= 1000
        assert 0 < tall <= 1000
        shapes = [x for x in root.iter() if x.tag != f"{SVG}title"][1:]
        assert shapes
        for shape in shapes:
            for x, y in corners(shape):
                assert -0.01 <= x <= wide + 0.01
                assert -0.01 <= y <= tall + 0.01
    assert len(pictures) > 1 or not rules.options(rules.start())


@pytest.mark.parametrize("row", ROWS)
def test_a_built_in_game_has_a_picture_of_its_own(row):
    assert defines(unwrapped(game(row.example)), "draw")


@pytest.mark.parametrize("row", ROWS)
def test_diagrams_and_results_are_texts(row):
    rules = as_rules(game(row.example))
    for position, ply in some_positions(rules).items():
        second = second_moves(rules, position, ply)
        diagram = rules.diagram(position, second)
        assert isinstance(diagram, str)
        assert diagram.strip() or not rules.show(position).strip()
        for label, distance in ((1, 3), (-1, 2), (0, 4), (0, -1)):
            assert rules.verdict(position, label, distance)
    assert all(rules.side_names)
    assert rules.left_out == "" or rules.left_out.endswith(".")


@pytest.mark.parametrize("row", ROWS)
def test_moves_are_read_by_their_names(row):
    rules = as_rules(game(row.example))
    for position, ply in some_positions(rules, walks=2, steps=4).items():
        second = second_moves(rules, position, ply)
        options = rules.options(position)
        for option in options[:12]:
            for name in rules.move_names(position, option, second):
                assert rules.parse_move(position, name, second) == option, rules.show(position)
        if options:
            line = rules.write_line([position, options[0]], second)
            assert rules.describe(position, options[0], second) in line
