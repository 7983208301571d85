"""Loading and checking the rules that the command line names, and reading their positions."""

from typing import Any

from zermelo.cli.output.progress import Meter
from zermelo.errors import InvalidRulesError
from zermelo.play.output import running_rules
from zermelo.play.positions import read_position

__all__ = ["load", "read_position", "running_rules", "with_turns"]


def load(game: str, no_check: bool | None = None, meter: "Meter | None" = None) -> Any:
    """The rules that a user names; rules of the user are checked for a second.

    ``no_check`` is None if the command has no such option.
    """
    from zermelo.rules.faults import admit, own
    from zermelo.rules.loading.load import load_rules

    with running_rules():
        rules = load_rules(game)
    with running_rules(rules):
        admit(rules)
    if own(rules) and not no_check:
        from zermelo.verify.rules.check import require_sound

        if meter is not None:
            meter.stage(f"checking {game}")
        try:
            with running_rules(rules):
                require_sound(rules)
        except InvalidRulesError as error:
            if no_check is None:
                raise
            raise InvalidRulesError(f"{error} (--no-check skips this check)") from error
    return rules


def with_turns(rules: Any) -> Any:
    """Rules in the form that is solved: a position includes the player to move."""
    from zermelo.rules.base import as_rules

    return as_rules(rules)
