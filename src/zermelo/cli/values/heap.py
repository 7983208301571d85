"""Heap games on the command line: what ``zermelo grundy CODE`` shows, writes and draws."""

import os
from typing import TYPE_CHECKING, Any

import click

import zermelo as zm
from zermelo.cli.inputs.files import check_output
from zermelo.cli.output import show
from zermelo.cli.output.listing import Listing
from zermelo.cli.output.progress import Meter
from zermelo.errors import InvalidOptionError

if TYPE_CHECKING:
    from zermelo.labels import Int32Array
    from zermelo.plots.sequence import SequencePlot
    from zermelo.sums.heaps.heap import Sparse
    from zermelo.sums.heaps.period import Period

DEFAULT_LAST = 100
"""The largest heap that is shown by default."""

MAX_VALUES = 240
"""Values that a terminal shows; --output has all."""

ROW_VALUES = 12
"""Values in a row of a terminal's table, or one period where that fits."""

MAX_EXCEPTIONS = 20
"""Exceptions to a period that a terminal shows."""

TABLES = (".csv", ".tsv", ".json")
PICTURES = (".svg", ".png", ".pdf")
OPTIONS = ("to", "period", "plot", "output", "force", "as_json")
"""The options of ``zermelo grundy`` for heap games."""
DRAWN = "terminal"
"""What ``plot`` is for a plot in characters."""


def run_heap(code: str, given: dict[str, Any]) -> None:
    """Show the nim-values of the heaps 0, …, ``to``, and what the options ask for.

    With ``period`` the values up to ``to`` (by default 10,000) are searched for a period. ``plot``
    is a file, or ``DRAWN`` for a plot in characters.
    """
    from zermelo.sums.heaps.heap import LIMIT
    from zermelo.sums.heaps.plot import plot_values

    to, period, output = given["to"], given["period"], given["output"]
    plot = None if given["plot"] == DRAWN else given["plot"]
    if given["force"] and output is None and plot is None:
        raise click.UsageError("--force goes with --output or --plot")
    game = zm.heap(code)
    _check(output, TABLES, "a table", given["force"])
    _check(plot, PICTURES, "a picture", given["force"])
    last, searched = DEFAULT_LAST if to is None else to, LIMIT if to is None else to
    with Meter() as meter:
        meter.stage("finding values")
        proof = game.period(searched, progress=meter) if period else None
        values = game.nim_sequence(last, progress=meter)
        sparse = game.sparse(last)
        if output is not None:
            meter.stage(f"writing {output}")
            _write(code, values.tolist(), output)
        if plot is not None:
            meter.stage(f"drawing {plot}")
            picture = plot_values(game, last, proof)
            picture.save(plot) if plot.lower().endswith(".svg") else _draw(picture, plot)
    for path in (output, plot):
        show.note_written(path)
    if given["as_json"]:
        head = {"code": str(game.code), "to": last, "largest": sparse.largest}
        if period:
            head["period"] = None if proof is None else _period_record(proof)
        show.print_json({**head, "sparse": _sparse_record(sparse), "values": values.tolist()})
        return
    if show.on_terminal():
        _terminal(str(game.code), values, sparse, period, proof)
    elif period:
        show.print_rows(("what", "value"), _period_rows(proof, searched))
    elif output is None:
        show.print_rows(("heap", "value"), enumerate(values.tolist()))
    if given["plot"] == DRAWN:
        print()
        print(plot_values(game, last, proof).draw())


def _check(path: str | None, suffixes: tuple[str, ...], what: str, force: bool) -> None:
    """Refuse an output that cannot be written, before anything is computed for it."""
    if path is None:
        return
    kind = "picture" if suffixes == PICTURES else "values"
    check_output(path, kind, (), force, format_="any")
    if os.path.splitext(path)[1].lower() not in suffixes:
        raise InvalidOptionError(f"{path}: expected {what} to end in {', '.join(suffixes)}")


def _period_record(proof: "Period") -> dict[str, Any]:
    exceptions = [{"heap": n, "value": x} for n, x in proof.exceptions.items()]
    found = {name: getattr(proof, name) for name in ("period", "preperiod", "saltus")}
    return {**found, "exceptions": exceptions, "row": proof.row.tolist()}


def _sparse_record(sparse: "Sparse") -> dict[str, Any]:
    return {
        "mask": sparse.mask,
        "position": sparse.position,
        "rare_heaps": int(sparse.heaps.size),
        "last_rare_heap": sparse.last,
        "rare_values": [{"value": x, "heaps": k} for x, k in sparse.counts.items()],
        "largest_at": sparse.largest_at,
    }


def _period_rows(proof: "Period | None", searched: int) -> show.Facts:
    if proof is None:
        return [("period", None), ("searched_to", searched)]
    exceptions = [f"{n}:{x}" for n, x in proof.exceptions.items()]
    texts = {"exceptions": " ".join(exceptions) or None, "row": " ".join(map(str, proof.row))}
    return list((_period_record(proof) | texts).items())


def _write(code: str, values: list[int], path: str) -> None:
    import json

    from zermelo._runtime.files import write_bytes

    if path.lower().endswith(".json"):
        write_bytes(json.dumps({"code": code, "values": values}).encode() + b"\n", path)
        return
    rows = list(enumerate(values))
    Listing({}, (), "values", ("heap", "value"), lambda: rows, len(rows)).write(path)


def _terminal(
    code: str, values: "Int32Array", sparse: "Sparse", asked: bool, proof: "Period | None"
) -> None:
    facts = [
        ("game", code),
        ("values", f"heaps 0 to {sparse.to:,}, largest {sparse.largest} at {sparse.largest_at:,}"),
        ("rare", f"{show.count(sparse.heaps.size, 'heap')} by mask {sparse.mask:b}"
                 + (" and position" if sparse.position else "")
                 + (f", the last is {sparse.last:,}" if sparse.last is not None else "")),
    ]  # fmt: skip
    if asked and proof is None:
        facts.append(("period", "none is proved by these values"))
    if proof is not None:
        grows = f", growing by {proof.saltus}" if proof.saltus else ""
        exceptions = [f"{n}:{x}" for n, x in proof.exceptions.items()]
        many = len(exceptions) > MAX_EXCEPTIONS
        more = f" … ({len(exceptions):,} in all)" if many else ""
        facts += [
            ("period", f"{proof.period:,} from heap {proof.preperiod:,} on{grows}, proved"),
            ("exceptions", (" ".join(exceptions[:MAX_EXCEPTIONS]) + more) or "none"),
        ]
    show.print_facts(facts)
    wide = proof.period if proof is not None and 4 <= proof.period <= 34 else ROW_VALUES
    columns = [show.right("heap", style="dim"), *(show.right(f"+{j}") for j in range(wide))]
    shown = values[:MAX_VALUES]
    starts = range(0, shown.size, wide)
    print()
    show.print_table(columns, ([f"{n:,}", *map(str, shown[n : n + wide].tolist())] for n in starts))
    if values.size > MAX_VALUES:
        show.print_remark(f"{values.size - MAX_VALUES:,} more; --output values.csv has them")


def _draw(plot: "SequencePlot", path: str) -> None:
    """A plot as PNG or PDF, by Matplotlib."""
    from zermelo._runtime.files import write_bytes
    from zermelo.draw.writers.matplotlib import write_matplotlib

    missing = "a plot as PNG or PDF needs Matplotlib (pip install 'zermelo[draw]'); SVG does not"
    form = os.path.splitext(path)[1][1:].lower()
    write_bytes(write_matplotlib(plot.svg(), form, missing), path)
