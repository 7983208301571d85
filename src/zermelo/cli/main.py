"""``zermelo``: the group of all commands, and what happens when one of them fails.

A command is a module of this package with an object ``command``; it is imported when it runs.
Adding one is one new file and one row of ``COMMANDS``.

Exit status: 0 done; 1 the answer is "no"; 2 bad usage or bad input; 70 a fault of ours; 124 the
time of ``--timeout`` is up; 130 interrupted; 141 the reader of our output has closed it. An error
message is one line on stderr that begins with ``zermelo:``.
"""

import importlib
import os
import re
import signal
import sys
import warnings
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from zermelo.cli.deadline import STATUS, OutOfTime
from zermelo.cli.output.show import say

COMMANDS = {
    "solve": ("solving", "Solve a game: who wins from every position, how, how fast."),
    "synthesize": ("synthesis", "Find a controller of a specification, as a circuit or a program."),
    "verify": ("solving", "Check a solution with code that shares nothing with the solver."),
    "info": ("solving", "Show what a graph file holds."),
    "grundy": ("values", "Show Sprague–Grundy values, and good moves in sums of games."),
    "value": ("values", "Show canonical forms and temperatures of partizan games."),
    "quotient": ("values", "Find the misère quotient of a heap game."),
    "kernel": ("graphs", "Find the kernel of a graph, or all kernels, or check a set."),
    "eggs": ("graphs", "Show Sprague–Grundy values of games of no return (EGGS)."),
    "matching": ("graphs", "Find a maximum matching, and the parts that all of them share."),
    "classify": ("graphs", "Show whether a graph is acyclic, symmetric or symacyclic."),
    "control": (
        "synthesis",
        "Find a controller of a plant: which actions to enable in which state.",
    ),
    "evaluate": ("graphs", "Show where a formula of the μ-calculus or of CTL holds."),
    "trace": ("solving", "Show how a game is solved, step by step."),
    "draw": ("graphs", "Draw a graph or a solved game."),
    "convert": ("graphs", "Rewrite a graph file in another format."),
    "transform": ("graphs", "Write another game that is made from a game."),
    "map": ("graphs", "Check whether a map between graphs keeps their games."),
    "generate": ("graphs", "Write a game of a known family."),
    "explore": ("rules", "Write the graph of a game that has rules."),
    "games": ("rules", "List the games that have rules."),
    "play": ("rules", "Play a game against perfect play."),
    "serve": ("rules", "Open the explorer in the browser."),
    "check-rules": ("rules", "Check the rules of a game, for example of your own file."),
    "plan": ("solving", "Estimate what solving a game takes: positions, memory, time, nodes."),
    "build": ("rules", "Solve a game that has rules into a table on disk."),
    "probe": ("rules", "Look a position up in a table."),
    "table-info": ("rules", "Show what a table holds, and whether it is sound."),
    "warm": ("rules", "Compile ahead, so that later commands do not wait."),
    "solvers": ("solving", "List the solvers, or show one with its options."),
    "completion": ("", "Print a completion script for your shell."),
}
"""The package of every command and its line in ``zermelo --help``, in the order shown there."""

MAX_DIGITS = 1000
"""A number with this many digits is refused in every argument."""

COMPLETE_VARIABLE = "_ZERMELO_COMPLETE"
"""Set by the shell's completion script when it asks what could follow."""


def module_of(name: str) -> str:
    """The full name of the module of a command.

    >>> module_of("check-rules"), module_of("completion")
    ('zermelo.cli.rules.check_rules', 'zermelo.cli.completion')
    """
    package = COMMANDS[name][0]
    return f"zermelo.cli.{package}{'.' if package else ''}{name.replace('-', '_')}"


class Commands(click.Group):
    """A group that imports a command's module only when the command is wanted."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(module_of(cmd_name)).command
        command.short_help = COMMANDS[cmd_name][1]
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; an unknown name lists the known ones."""
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            from zermelo.registry import unknown

            raise click.UsageError(str(unknown("command", args[0], list(COMMANDS))), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The section of ``--help`` that lists the commands, from the table alone."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in COMMANDS.items()])

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command line; failures become one sentence on stderr and an exit status."""
        given = list(sys.argv[1:] if args is None else args)
        name = prog_name or "zermelo"
        if COMPLETE_VARIABLE in os.environ:
            from zermelo.cli.completion import register

            register()
            return super().main(given, name, COMPLETE_VARIABLE, standalone_mode, **extra)
        status = _run(self, given, name, extra)
        if standalone_mode:
            sys.exit(status)
        return status


def _run(group: click.Group, args: list[str], name: str, extra: dict[str, Any]) -> int:
    debug = os.environ.get("ZERMELO_DEBUG", "0") not in ("", "0")
    own = args[: args.index("--")] if "--" in args else args
    if "--debug" in own:  # it may stand anywhere: users append it to a command that failed
        debug = True
        args = [x for x in own if x != "--debug"] + args[len(own) :]
    from zermelo.cli.output.progress import explained

    try:
        _check_arguments(args)
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning
            with explained(), group.make_context(name, args, **extra) as ctx:
                result = group.invoke(ctx)
        if sys.stdout is not None:
            sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as done:
        return done.exit_code
    except BaseException as error:
        if isinstance(error, SystemExit | GeneratorExit):
            raise
        _abandon_output()
        if debug and not isinstance(error, BrokenPipeError):
            import traceback

            traceback.print_exc()
        status, message = explain(error)
        if message:
            say(message)
        return status


def _check_arguments(args: Sequence[str]) -> None:
    """Refuse arguments that no command accepts: null characters, and numbers that are too long."""
    for text in args:
        if "\0" in text:
            raise click.UsageError(f"expected arguments without null characters, got {text[:60]!r}")
        if len(text) > MAX_DIGITS and re.search(rf"\d{{{MAX_DIGITS}}}", text):
            raise click.UsageError(
                f"expected numbers of less than {MAX_DIGITS:,} digits, got {text[:59] + '…'!r}"
            )


def _show_warning(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
    say(f"warning: {message}")


def explain(error: BaseException) -> tuple[int, str]:
    """The exit status of a failure, and its message.

    >>> explain(FileNotFoundError(2, "No such file or directory", "g.txt"))
    (2, 'g.txt: no such file or directory')
    """
    if isinstance(error, click.ClickException):
        return 2, _usage(error)
    if isinstance(error, OutOfTime):
        return STATUS, str(error)
    interrupts = KeyboardInterrupt | click.Abort
    if isinstance(error, interrupts) or isinstance(error.__cause__, interrupts):
        return 130, "interrupted"
    if isinstance(error, BrokenPipeError):
        return 141, ""
    from zermelo.errors import CertificateError, ZermeloError

    if isinstance(error, CertificateError):
        return 1, f"the certificate does not hold: {error}"
    if isinstance(error, ZermeloError):
        from zermelo.cli.advice import for_the_shell

        return 2, for_the_shell(str(error))
    from zermelo.rules.faults import place_in_rules

    if (place := place_in_rules(error)) is not None:
        where = f"{os.path.relpath(place[0])}:{place[1]}"
        return 2, f"{where}: the rules fail: {type(error).__name__}{_because(error)}"
    if isinstance(error, OSError):
        return 2, _system(error)
    if isinstance(error, MemoryError):
        return 2, f"out of memory; a smaller graph or more memory is needed{_because(error)}"
    if isinstance(error, UnicodeError):
        return 2, f"expected UTF-8 text{_because(error)}"
    return 70, (
        f"a fault of ours, {type(error).__name__}{_because(error)}; please report it with what "
        "the same command prints under --debug"
    )


def _usage(error: click.ClickException) -> str:
    text = error.format_message().rstrip(".")
    text = text.replace(". Did", "; did").replace(". (Did", " (did")
    text = text[:1].lower() + text[1:]
    ctx = getattr(error, "ctx", None)
    return f"{text} (see {ctx.command_path} --help)" if ctx is not None else text


def _system(error: OSError) -> str:
    reason = (error.strerror or str(error) or type(error).__name__).rstrip(".")
    reason = reason[:1].lower() + reason[1:]
    if isinstance(error, IsADirectoryError):
        reason = "expected a file, this is a directory"
    where = error.filename
    if where is None:
        return reason
    return f"{os.fsdecode(where) if isinstance(where, bytes | str) else where}: {reason}"


def _because(error: BaseException) -> str:
    return f": {error}" if str(error) else ""


def _abandon_output() -> None:
    """Discard the rest of the output if flushing fails, so that Python does not fail at exit."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError, AttributeError):
        try:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stdout.fileno())
            os.close(nowhere)
        except (OSError, ValueError, AttributeError):
            pass


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        from zermelo._version import __version__

        click.echo(f"zermelo {__version__}")
        ctx.exit()


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    invoke_without_command=True,
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version,
    help="Show the version and exit.",
)  # fmt: skip
@click.option("--debug", is_flag=True, expose_value=False, help="Show a traceback on failure.")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Solve two-player games on graphs: who wins, how, how fast, with a proof.

    FILE may be - for standard input. Exit status: 0 done, 1 the answer is "no", 2 bad usage or
    input. Tables are in colour on a terminal and tab-separated in a pipe; --json is for programs.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main() -> NoReturn:
    """Run the command line of this process."""
    from zermelo.cli.streams import open_streams

    status = 130
    try:
        listen()
        open_streams()
        status = cli.main(prog_name="zermelo", standalone_mode=False)
    except KeyboardInterrupt:  # before or after the command itself
        say("interrupted")
    finally:
        deafen()  # from here on Ctrl-C ends the process without a message
    forget_interrupt()
    sys.exit(status)


def forget_interrupt() -> None:
    """Let Python end with our status after an interrupt that we have answered.

    Python notes a KeyboardInterrupt that leaves code given as text, such as that of a new
    dataclass, and ends by a signal then, even if it was caught. Other code as text clears the note.
    """
    exec("")


def listen() -> None:
    """Let Ctrl-C raise KeyboardInterrupt again, if that was disabled at the start."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def deafen() -> None:
    """Let Ctrl-C end the process at once, if it is not ignored."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


if __name__ == "__main__":
    main()
