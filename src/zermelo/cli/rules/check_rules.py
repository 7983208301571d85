"""``zermelo check-rules``: check that the rules of a game are consistent."""

import click

from zermelo.cli.inputs.rules import running_rules
from zermelo.cli.options import GAME, JSON, number, option
from zermelo.cli.output.progress import Meter
from zermelo.cli.output.show import print_json, say


@click.command()
@GAME
@number(
    "--samples",
    "Check about this many positions. The default is all of a game that has at most 100,000, and "
    "500 of a larger one.", 1,
)  # fmt: skip
@option("--seed", "N", "The seed of the samples.", type=int, default=0, show_default=True)
@JSON
def command(game: str, samples: int | None, seed: int, as_json: bool) -> int:
    """Check the rules of GAME: a Python file, its class and parameters after colons, or a name.

    The members of the rules are compared with each other: unmoves with moves, rank with unrank,
    canonical with the moves of symmetric positions, tiers, ends and texts. The compiled rules are
    compared with the interpreted ones. The exit status is 0 if all checks hold and 1 if not.

    There is a warning if play is over at the start, if no position is an end, and if a name in a
    file of rules resembles a member that is not there; a warning does not change the exit status.

    \b
    zermelo check-rules my_game.py
    zermelo check-rules my_game.py:MyGame:3,4
    zermelo check-rules connect4:5x4
    """
    from zermelo.rules.loading.load import load_rules
    from zermelo.verify.rules.check import check_rules

    with Meter() as meter, running_rules():
        meter.stage(f"checking {game}")
        found = check_rules(load_rules(game), samples, seed)
    good = all(x.holds for x in found)
    if as_json:
        rows = [
            {"member": x.member, "holds": x.holds, "message": x.message}
            | ({"warning": True} if x.warning else {})
            for x in found
        ]
        print_json({"game": game, "holds": good, "checks": rows})
        return 0 if good else 1
    for x in found:
        kind = "WRONG" if not x.holds else "warn" if x.warning else "ok"
        print(f"{kind:<5}  {x.member:<10} {' '.join(x.message.split())}")
    if not good:
        wrong = ", ".join(x.member for x in found if not x.holds)
        say(f"{game}: the rules do not hold: {wrong}")
    return 0 if good else 1
