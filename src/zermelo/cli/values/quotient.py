"""``zermelo quotient``: the misère quotient of a heap game."""

import os
from typing import Any

import click

import zermelo as zm
from zermelo.cli.complete import heap_codes
from zermelo.cli.inputs.source import names_rules
from zermelo.cli.options import JSON, flag, option
from zermelo.cli.output import show
from zermelo.cli.output.progress import Meter

MAX_HEAP = 10_000
"""The largest heap that the command accepts; much smaller ones already take hours."""


@click.command()
@click.argument("code", metavar="CODE", shell_complete=heap_codes)
@option(
    "--to n", "N", "The largest heap.", type=click.IntRange(0, MAX_HEAP), default=10,
    show_default=True,
)  # fmt: skip
@option(
    "--limit", "K", "Stop with an error at more than K elements.", type=click.IntRange(min=1),
    default=1000, show_default=True,
)  # fmt: skip
@flag("--verify check", "Prove the answer before it is shown.")
@JSON
def command(code: str, n: int, limit: int, check: bool, as_json: bool) -> None:
    """Find the misère quotient of the heaps 0 … N of a game: who wins any sum of them.

    CODE is an octal code or the name of a heap game. The command shows a presentation, the
    P-portion (the elements at which the player to move loses) and the element of every heap.

    \b
    zermelo quotient 0.77 --to 10
    zermelo quotient 0.07 --to 25 --verify --json
    """
    from zermelo.sums.heaps.code import NAMES

    if code not in NAMES and (names_rules(code) or os.path.isfile(code)):
        raise click.UsageError(
            "expected the code of a heap game, such as 0.77, or one of "
            f"{', '.join(sorted(NAMES))}, got {code}; "
            f"zermelo solve {code} --objective misere says who wins there"
        )
    with Meter() as meter:
        meter.stage(f"heaps of {code}")
        quotient = zm.misere_quotient(code, n, limit=limit, progress=meter)
        if check:
            meter.stage("checking")
            quotient.verify()
    record = _record(code, quotient)
    show.show_facts(
        record, _facts(record), as_json, [(name, _text(x)) for name, x in record.items()]
    )
    if not as_json and show.on_terminal():
        print()
        rows = ((str(heap), element) for heap, element in enumerate(record["phi"]))
        show.print_table([("heap", {"justify": "right"}), "element"], rows)


def _record(code: str, quotient: "zm.MisereQuotient") -> dict[str, Any]:
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
    return " ".join(x) if isinstance(x, list) else show.entry_text(x)


def _facts(record: dict[str, Any]) -> show.Facts:
    kind = "tame" if record["tame"] else "wild"
    heaps = ", ".join(f"{a} = heap {heap}" for a, heap in record["generators"].items())
    return [
        ("game", f"{record['game']}, heaps up to {record['heaps']}"),
        ("quotient", f"{show.count(record['order'], 'element')}, {kind}"),
        ("generators", heaps or "none"),
        ("relations", "  ".join(record["relations"]) or "none"),
        ("P-portion", "  ".join(record["p_portion"]) or "none"),
    ]
