"""``zermelo quotient``: the misère quotient of a heap game."""

import os
from typing import TYPE_CHECKING, Any

import click

from zermelo.cli.complete import heap_codes
from zermelo.cli.inputs.files import JSON
from zermelo.cli.output.show import on_terminal, print_facts, print_json, print_rows

if TYPE_CHECKING:
    from zermelo.sums.misere.quotient import MisereQuotient


LARGEST = 10_000
"""The largest heap that the command accepts; much smaller ones already take hours."""


@click.command()
@click.argument("code", metavar="CODE", shell_complete=heap_codes)
@click.option(
    "--to", "n", type=click.IntRange(0, LARGEST), default=10, metavar="N", show_default=True,
    help="The largest heap.",
)  # fmt: skip
@click.option("--limit", type=click.IntRange(min=1), default=1000, metavar="K", show_default=True,
              help="Stop with an error at more than K elements.")  # fmt: skip
@click.option("--verify", "check", is_flag=True, help="Prove the answer before it is shown.")
@JSON
def command(code: str, n: int, limit: int, check: bool, as_json: bool) -> None:
    """Find the misère quotient of the heaps 0 … N of a game: who wins any sum of them.

    CODE is an octal code or the name of a heap game. The command shows a presentation, the
    P-portion (the elements at which the player to move loses) and the element of every heap.

    \b
    zermelo quotient 0.77 --to 10
    zermelo quotient 0.07 --to 25 --verify --json
    """
    from zermelo.cli.inputs.source import names_rules
    from zermelo.cli.output.progress import Meter
    from zermelo.sums.heaps.code import NAMES
    from zermelo.sums.misere.quotient import misere_quotient

    if code not in NAMES and (names_rules(code) or os.path.isfile(code)):
        raise click.UsageError(
            "expected the code of a heap game, such as 0.77, or one of "
            f"{', '.join(sorted(NAMES))}, got {code}; "
            f"zermelo solve {code} --objective misere says who wins there"
        )
    with Meter() as meter:
        meter.stage(f"heaps of {code}")
        quotient = misere_quotient(code, n, limit=limit, progress=meter)
        if check:
            meter.stage("checking")
            quotient.verify()
    record = _record(code, quotient)
    if as_json:
        print_json(record)
    elif on_terminal():
        _show(record)
    else:
        print_rows(("what", "value"), [(name, _text(x)) for name, x in record.items()])


def _record(code: str, quotient: "MisereQuotient") -> dict[str, Any]:
    return {
        "game": code,
        "heaps": len(quotient.phi) - 1,
        "order": quotient.order,
        "tame": quotient.tame,
        "generators": dict(zip(quotient.letters, quotient.generators, strict=True)),
        "relations": [f"{left}={right}" for left, right in quotient.relations],
        "p_portion": list(quotient.p_portion),
        "elements": list(quotient.elements),
        "phi": [quotient.name(x) for x in quotient.phi],
    }


def _text(x: object) -> str:
    if isinstance(x, dict):
        return " ".join(f"{letter}={heap}" for letter, heap in x.items())
    if isinstance(x, bool):
        return "yes" if x else "no"
    return " ".join(x) if isinstance(x, list) else str(x)


def _show(record: dict[str, Any]) -> None:
    from zermelo.cli.output.show import console, count, rich_table

    kind = "tame" if record["tame"] else "wild"
    heaps = ", ".join(f"{a} = heap {heap}" for a, heap in record["generators"].items())
    print_facts([
        ("game", f"{record['game']}, heaps up to {record['heaps']}"),
        ("quotient", f"{count(record['order'], 'element')}, {kind}"),
        ("generators", heaps or "none"),
        ("relations", "  ".join(record["relations"]) or "none"),
        ("P-portion", "  ".join(record["p_portion"]) or "none"),
    ])  # fmt: skip
    table = rich_table(("heap", {"justify": "right"}), "element")
    for heap, element in enumerate(record["phi"]):
        table.add_row(str(heap), element)
    console().print()
    console().print(table)
