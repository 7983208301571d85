"""Checks of rules on samples of their positions.

Solvers trust the rules: if ``unmoves`` forgets a move, tables are wrong, and no kernel notices it.
:func:`check_rules` compares every member with the others. This proves nothing, but it finds the
usual mistakes.
"""

from collections.abc import Callable
from typing import Any

from zermelo._runtime.jit import interpreting
from zermelo.errors import InvalidRulesError, ZermeloError
from zermelo.rules.base import as_rules
from zermelo.rules.compiled import CompiledRules
from zermelo.rules.faults import blamed, located, own, place
from zermelo.rules.partizan.base import PartizanRules
from zermelo.verify.rules.compiled import Compiled
from zermelo.verify.rules.partizan import Partizan
from zermelo.verify.rules.plain import Broken, Checks, Finding, Plain

SECONDS = 1.0
"""The time of a check before rules are used."""

FIRST = ("members", "start", "moves", "outcome", "left", "right")
"""The members that the other checks rely on."""


def check_rules(
    rules: Any,
    samples: int = 500,
    seed: int = 0,
    *,
    seconds: float | None = None,
    compiled: bool = True,
) -> list[Finding]:
    """Check rules on about ``samples`` positions; return a finding for each member.

    With ``seconds``, as many positions are examined as that time allows. With ``compiled``, the
    members of compiled rules are also compiled, and their results compared with those of Python.

    >>> from zermelo.rules.boards.tictactoe import TicTacToe
    >>> all(found.holds for found in check_rules(TicTacToe(), samples=20, compiled=False))
    True
    """
    checks = _checks(rules, samples, seed, seconds)
    findings: list[Finding] = []
    pairs = list(checks.all())
    for member, check in pairs:
        checks.begin(1 / len(pairs))
        finding = _finding(checks.rules, member, check)
        if member != "members" or not finding.holds:
            findings.append(finding)
        if not finding.holds and member in FIRST:
            return findings  # the other checks would report the same mistake
    if isinstance(checks, Compiled) and all(x.holds for x in findings):
        finding = _finding(checks.rules, "compiled", checks.parameters)
        findings += [] if finding.holds else [finding]
    grid = isinstance(checks, Partizan) and getattr(rules, "compiles", False)
    job = checks.compiled if grid or isinstance(checks, Compiled) else None
    if compiled and job and not interpreting() and all(x.holds for x in findings):
        # Rules with a mistake must not run as machine code.
        findings.append(_finding(checks.rules, "compiled", job))
    return findings


def require_sound(rules: Any, seconds: float = SECONDS) -> None:
    """Refuse rules in which a quick check finds a mistake; the package's own are trusted.

    >>> from zermelo.rules.impartial.nim import Nim
    >>> class Backward(Nim):
    ...     __module__ = "mine"
    ...     def canonical(self, heaps): return heaps[::-1]
    >>> require_sound(Backward(2, 1))
    Traceback (most recent call last):
    zermelo.errors.InvalidRulesError: Backward.canonical: position (1, 2) (1+2): its canonical ...
    """
    if not own(rules):
        return
    findings = check_rules(rules, samples=200, seconds=seconds, compiled=False)
    mistakes = [x for x in findings if not x.holds]
    if mistakes:
        raise InvalidRulesError(mistakes[0].message)


def _checks(rules: Any, samples: int, seed: int, seconds: float | None) -> Checks:
    if isinstance(rules, CompiledRules):
        return Compiled(rules, samples, seed, seconds)
    if isinstance(rules, PartizanRules):
        return Partizan(rules, samples, seed, seconds)
    return Plain(as_rules(rules), samples, seed, seconds)


def _finding(rules: Any, member: str, check: Callable[[], str]) -> Finding:
    """The finding of a check; a mistake is reported with its place."""
    try:
        return Finding(member, True, check())
    except Broken as wrong:
        member = wrong.member or member
        where = place(rules, "" if member in ("members", "compiled") else member)
        return Finding(member, False, f"{where}: {wrong}")
    except MemoryError:
        raise
    except (Exception, SystemExit) as error:
        fault = error if isinstance(error, ZermeloError) else blamed(error)
        if isinstance(fault, InvalidRulesError) and fault.member:
            fault = located(fault, rules) if fault.of_kernel else fault
            return Finding(fault.member, False, str(fault))
        kind = "" if isinstance(error, ZermeloError) else f"{type(error).__name__}: "
        where = place(rules, "" if member in ("members", "compiled") else member)
        return Finding(member, False, f"{where} fails: {kind}{error}")
