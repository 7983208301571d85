"""``zermelo control``: a controller of a plant with labelled transitions, stated in actions."""

import errno
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

import zermelo as zm
from zermelo.cli.complete import MAX_FILE_BYTES, MAX_OFFERED, Completer, Items
from zermelo.cli.inputs.files import check_output, name_of
from zermelo.cli.inputs.parse import split
from zermelo.cli.options import FILE, FORCE, JSON, LIMIT, flag, option, output
from zermelo.cli.output.listing import Listing, check_answer_output
from zermelo.cli.output.show import count, note_written, on_terminal, say
from zermelo.errors import InvalidOptionError, UnknownNameError

if TYPE_CHECKING:
    from zermelo.solutions.control import PlantController

MAX_STATES_IN_MESSAGE = 5
"""The states that a message lists."""

PICTURES = (".dot", ".gv")


def _names(part: str, *, several: bool) -> Completer:
    """Completes states or actions of the plant on the line, with commas between several."""

    def found(ctx: click.Context, param: click.Parameter, incomplete: str) -> Items:
        before, comma, last = incomplete.rpartition(",") if several else ("", "", incomplete)
        path = ctx.params.get("file") or next((x for x in ctx.args if x[:1] != "-"), "")
        try:
            if not os.path.isfile(path) or os.path.getsize(path) > MAX_FILE_BYTES:
                return []
            names = map(str, getattr(zm.read_plant(path), part))
        except Exception:  # a key that is pressed must not print an error
            return []
        fitting = [name for name in names if name.startswith(last)]
        return [CompletionItem(before + comma + name) for name in fitting[:MAX_OFFERED]]

    return found


STATES, ACTIONS = _names("states", several=True), _names("actions", several=True)


@click.command()
@FILE
@option("--reach", "A,B", "The states to reach; --avoid counts until then.", STATES)
@option("--avoid", "A,B", "The states to avoid.", STATES)
@option(
    "--marked", "A,B", "The states to which a way must remain from everywhere (nonblocking).",
    STATES,
)  # fmt: skip
@option("--uncontrollable", "X,Y", "The actions that no controller can disable.", ACTIONS)
@option(
    "--start", "A", "The initial state; the default is the first state of FILE.",
    _names("states", several=False),
)  # fmt: skip
@flag(
    "--may-stop",
    "Allow the controller to disable everything in a state without uncontrollable actions.",
)  # fmt: skip
@flag("--verify", "Check the controller before it is shown.")
@output("Write the controller: a table, .csv or .tsv; .json; or the plant under control, .dot.")
@FORCE
@LIMIT
@JSON
def command(file: str, **given: Any) -> int:
    """Find a controller of the plant in FILE, which has a line "state,action,state" for each
    transition.

    In every state the controller enables some actions; uncontrollable actions are always enabled.
    The environment picks one of the enabled actions, and its outcome if there are several.

    With --reach she makes sure that one of these states is reached, and none of --avoid before;
    the rank of a state is the number of actions after which this has happened at the latest. With
    --avoid alone she stays outside these states for ever, and every action that is safe is enabled.
    With --marked she also keeps a way to one of these states. The exit status is 1 if the aim
    cannot be ensured from the initial state.

    \b
    zermelo control plant.csv --avoid crash --uncontrollable slip,fail
    zermelo control plant.csv --avoid crash --reach goal --uncontrollable slip,fail
    zermelo control plant.csv --avoid crash -o controller.json
    """
    output = given["output"]
    if given["reach"] is not None and given["marked"] is not None:
        raise click.UsageError("--reach does not go with --marked")
    for name in ("reach", "marked"):
        if given[name] is not None and given["may_stop"]:
            raise click.UsageError(f"--may-stop changes nothing with --{name}")
    _check_output(output, file, given["force"])
    plant = _read(file, given)
    sets = {name: _states(plant, given[name], f"--{name}") for name in ("reach", "marked")}
    avoid = _states(plant, given["avoid"] or "", "--avoid")
    found = zm.control(plant, avoid=avoid or (), may_stop=given["may_stop"], **sets)
    if given["verify"]:
        found.verify()
    listing = _listing(file, found, given["verify"])
    status = 0 if found.wins else 1
    written = output is not None and _write(found, listing, output)
    if given["limit"] is not None or given["as_json"] or not written or on_terminal():
        listing.show(given["limit"], given["as_json"])
    if status:
        unwritten = "" if output is None or written else f"; {output} was not written"
        say(_verdict(file, found) + unwritten)
    return status


def _check_output(path: str | None, file: str, force: bool) -> None:
    if path is not None and path.lower().endswith(PICTURES):
        check_output(path, "picture", (file,), force, format_="-")
        return
    if path is not None and not path.lower().endswith((".csv", ".tsv", ".json")):
        raise InvalidOptionError(f"{path}: expected a name that ends in .csv, .tsv, .json or .dot")
    check_answer_output(path, file, force, certificate=True)


def _read(file: str, given: dict[str, Any]) -> "zm.Plant":
    if file != "-" and os.path.isdir(file):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), file)
    free = split(given["uncontrollable"], "--uncontrollable")
    try:
        return zm.read_plant(file, free, given["start"])
    except UnknownNameError as error:
        option = "--uncontrollable" if "no action" in str(error) else "--start"
        raise UnknownNameError(f"{option}: {error}") from None


def _states(plant: "zm.Plant", text: str | None, option: str) -> list[str] | None:
    """The states of an option, which the plant must have; None if the option is not given."""
    if text is None:
        return None
    names = split(text, option)
    try:
        plant.mask(names)
    except UnknownNameError as error:
        raise UnknownNameError(f"{option}: {error}") from None
    return names


def _listing(file: str, found: "PlantController", verified: bool) -> Listing:
    plant, ranked = found.plant, found.aim != "safety"
    columns = ("state", "won", "rank", "actions") if ranked else ("state", "won", "actions")

    def rows() -> Iterator[tuple[Any, ...]]:
        for state, won, rank, actions in found.rows():
            yield (state, won, rank, actions) if ranked else (state, won, actions)

    plain = found.to_dict()
    head = {"file": file, "states": len(plant.states), "won": len(found)}
    head |= {name: plain[name] for name in ("aim", "goal", "avoid", "may_stop", "start", "wins")}
    head["verified"] = verified
    checked = ", verified" if verified else ""
    facts = [
        ("plant", f"{name_of(file)}, {count(len(plant.states), 'state')}, "
                  f"{count(len(plant), 'transition')}"),
        ("aim", _aim(plain)),
        ("ensured from", f"{len(found):,} of {count(len(plant.states), 'state')}{checked}"),
        ("start", f"{plain['start']}, {'ensured' if found.wins else 'not ensured'}"),
    ]  # fmt: skip
    return Listing(head, facts, "controller", columns, rows, len(plant.states))


def _aim(plain: dict[str, Any]) -> str:
    """The aim in words."""
    goal, avoid = ", ".join(plain["goal"]) or "nothing", ", ".join(plain["avoid"]) or "nothing"
    if plain["aim"] == "reach":
        return f"reach {goal} and avoid {avoid} until then"
    ways = f", and keep a way to {goal}" if plain["aim"] == "nonblocking" else ""
    return f"avoid {avoid} for ever{ways}"


def _write(found: "PlantController", listing: Listing, path: str) -> bool:
    """Write the controller, and say whether that was done: a picture needs a won start."""
    import json

    from zermelo._runtime.files import write_bytes

    if path.lower().endswith(PICTURES):
        if not found.wins:
            return False
        write_bytes(found.to_dot().encode(), path)
    elif path.lower().endswith(".json"):
        text = json.dumps(found.to_dict(), indent=2, ensure_ascii=False) + "\n"
        write_bytes(text.encode(errors="backslashreplace"), path)
    else:
        listing.write(path)
    note_written(path)
    return True


def _verdict(file: str, found: "PlantController") -> str:
    """Why the exit status is 1, and from where the aim can be ensured."""
    plain = found.to_dict()
    first = list(plain["states"])[:MAX_STATES_IN_MESSAGE]
    more = ", …" if len(found) > MAX_STATES_IN_MESSAGE else ""
    where = f"it can from {', '.join(first)}{more}" if first else "it cannot from any state"
    return (
        f"{name_of(file)}: the aim, to {_aim(plain)}, cannot be ensured from the initial state "
        f"{plain['start']}; {where}"
    )
