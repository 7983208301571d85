"""``zermelo map``: whether a map between graphs is a bounded epimorphism, or keeps all values."""

from collections.abc import Callable, Hashable
from typing import Any

import click

import zermelo as zm
from zermelo.cli import complete
from zermelo.cli.inputs.files import name_of
from zermelo.cli.inputs.objective import Wish, choose_objective
from zermelo.cli.inputs.parse import read_json, shortened, split
from zermelo.cli.inputs.source import Source, open_game
from zermelo.cli.options import JSON, flag, keyword, option, player, position
from zermelo.cli.output.show import plain_name, print_json, say
from zermelo.errors import FormatError

Images = Callable[[Any], Hashable]

KNOWN = {
    "name": "the position of the same name",
    "z-t": "the last position of a walk, Z_T",
    "z-a": "the position of a situation, Z_A",
    "z-t-a": "the last position of a walk and the player to move there, Z_{T,A}",
}
"""Maps that need no list."""


@click.command()
@click.argument("file", metavar="FILE|GAME", shell_complete=complete.files_and_games)
@click.argument("other", metavar="FILE|GAME", shell_complete=complete.files_and_games)
@option(
    "--by", None,
    f"The map: {'; '.join(f'{name} is {x}' for name, x in KNOWN.items())}. The default is "
    "name, if no images are given.",
    type=click.Choice(list(KNOWN)),
)  # fmt: skip
@option(
    "--image images", "A=X",
    "The image X of the position A, or several with commas; may be repeated.", multiple=True,
)  # fmt: skip
@option("--images image_file", "FILE", "Images from a JSON object by position.", complete.files)
@position("--start", "The root of the first graph; the default is its start.")
@option(
    "--other-start", "X",
    "The root of the second graph; the default is the image of the first root.",
)  # fmt: skip
@flag("--equivalence", "Check that a position and its image have the same value, instead.")
@flag("--anti", "With --equivalence: that one value is the negative of the other.")
@keyword(
    "With --equivalence: the game on both graphs, one without data; the default is the objective "
    "of each file.",
)  # fmt: skip
@player("--starter", "With --equivalence: who starts on the first graph.")
@player("--other-starter", "With --equivalence: who starts on the second graph.")
@JSON
def command(file: str, other: str, **given: Any) -> int:
    """Check a map from the positions of the first graph to those of the second.

    A bounded epimorphism maps root to root, is onto, maps moves to moves, and lifts every move of
    the second graph. Such a map keeps the values of all games that end. With --equivalence the
    values are compared themselves, as player 0 sees them. The exit status is 1 if the map is not as
    asked, and the message says why.

    \b
    zermelo transform unravel start=a depth=9 game.txt tree.json
    zermelo map tree.json game.txt --by z-t --other-start a
    zermelo map big.txt small.txt --image a=x,b=x,c=y --start a
    zermelo map game.txt game.txt --equivalence --anti --other-starter 1
    """
    if file == "-" and other == "-":
        raise click.UsageError("expected one of the graphs from standard input, got both")
    for name in ("anti", "objective", "starter", "other_starter"):
        if given[name] not in (None, False) and not given["equivalence"]:
            raise click.UsageError(f"--{name.replace('_', '-')} goes with --equivalence")
    for name in ("start", "other_start"):
        if given[name] is not None and given["equivalence"]:
            raise click.UsageError(
                f"--{name.replace('_', '-')} does not go with --equivalence, which is about all "
                "positions"
            )
    first, second = open_game(file), open_game(other)
    images = _map(first, second, given)
    if given["equivalence"]:
        report, what = _equivalence(first, second, images, given), "equivalence"
    else:
        report, what = _epimorphism(first, second, images, given), "bounded epimorphism"
    if given["as_json"]:
        record = {"file": file, "other": other, "what": what, "holds": bool(report)}
        print_json(record | {"reason": None if report else str(report)})
    elif report:
        print(f"the map from {name_of(file)} to {name_of(other)} is {report}")
    else:
        no = "" if given["equivalence"] else f"no {what}: "
        say(f"the map from {name_of(file)} to {name_of(other)} is {no}{report}")
    return 0 if report else 1


def _epimorphism(first: Source, second: Source, images: Images, given: dict[str, Any]) -> Any:
    from zermelo.transform.epimorphism import check_bounded_epimorphism

    root = first.start if given["start"] is None else first.find(given["start"], "--start")
    if root is None:
        raise click.UsageError("expected --start A, because the first graph has no start")
    name = given["other_start"]
    target = images(root) if name is None else second.find(name, "--other-start")
    return check_bounded_epimorphism(first.graph, root, second.graph, target, images)


def _equivalence(first: Source, second: Source, images: Images, given: dict[str, Any]) -> Any:
    from zermelo.transform.equivalence import is_equivalence

    games: list[zm.Objective] = [first.game.objective, second.game.objective]
    if given["objective"] is not None:
        wish = Wish(given["objective"])
        games = [choose_objective(x.graph, x.objective, wish) for x in (first, second)]
    starters = [given[name] or 0 for name in ("starter", "other_starter")]
    return is_equivalence(
        first.graph, second.graph, images, games[0], games[1], *starters, anti=given["anti"]
    )


def _map(first: Source, second: Source, given: dict[str, Any]) -> Images:
    """The map as a function from names to names."""
    from zermelo.transform.epimorphism import (
        situation_to_position,
        walk_to_position,
        walk_to_situation,
    )

    listed = bool(given["images"]) or given["image_file"] is not None
    if listed and given["by"] is not None:
        raise click.UsageError("--by does not go with --image or --images")
    if not listed:
        functions = {"z-t": walk_to_position, "z-a": situation_to_position}
        functions["z-t-a"] = walk_to_situation
        return functions.get(given["by"] or "name", lambda name: name)
    found: dict[Hashable, Hashable] = {}
    if given["image_file"] is not None:
        path = given["image_file"]
        data = read_json(path)
        if not isinstance(data, dict):
            raise FormatError("expected an object that gives each position its image", path=path)
        for name, image in data.items():
            found[first.find(name, path)] = second.find(str(image), path)
    for text in (x for several in given["images"] for x in split(several, "--image")):
        name, equals, image = text.partition("=")
        if not equals:
            raise click.BadParameter(f"expected A=X, got {shortened(text)!r}", param_hint="--image")
        position = first.find(name, "--image")
        if position in found:
            raise click.BadParameter(f"{position!r} has two images", param_hint="--image")
        found[position] = second.find(image, "--image")
    missing = next((name for name in first.graph if name not in found), None)
    if missing is not None:
        raise click.UsageError(
            f"expected an image of every position, and {plain_name(missing)} has none"
        )
    return found.__getitem__
