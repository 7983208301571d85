"""Checks of rules on all of their positions, or on samples if there are very many.

Solvers trust the rules: if ``unmoves`` forgets a move, tables are wrong, and no kernel notices it.
:func:`check_rules` compares every member with the others. On samples this proves nothing, but it
finds the usual mistakes. How much is checked does not depend on the speed of the machine.
"""

from collections.abc import Callable
from typing import Any

from zermelo._runtime.compiled.jit import interpreting
from zermelo.errors import InvalidRulesError, ZermeloError
from zermelo.rules.base import as_rules
from zermelo.rules.compiled import CompiledRules
from zermelo.rules.faults import blamed, located, own, place
from zermelo.rules.partizan.base import PartizanRules
from zermelo.verify.rules.compiled import Compiled
from zermelo.verify.rules.doubts import doubts
from zermelo.verify.rules.partizan import Partizan
from zermelo.verify.rules.plain import Broken, Checks, Finding, Plain

FUNDAMENTAL = ("members", "start", "moves", "outcome", "left", "right")
"""The members that the other checks rely on."""


def check_rules(
    rules: Any,
    samples: int | None = None,
    seed: int = 0,
    *,
    compiled: bool = True,
) -> list[Finding]:
    """Check rules on all positions, or on about ``samples``; return a finding for each member.

    Without ``samples``, a game with at most 100,000 positions is checked at all of them, and a
    larger one at 500; positions with very many moves make it fewer. With ``compiled``, the members
    of compiled rules are also compiled, and their results compared with those of Python. Findings
    that hold may be warnings, of what is most likely not meant.

    >>> from zermelo.rules.boards.rows.tictactoe import TicTacToe
    >>> all(found.holds for found in check_rules(TicTacToe(), samples=20, compiled=False))
    True
    """
    checks = _checks(rules, samples, seed)
    findings: list[Finding] = []
    for member, check in checks.all():
        checks.begin()
        finding = _finding(checks.rules, member, check)
        if member != "members" or not finding.holds:
            findings.append(finding)
        if not finding.holds and member in FUNDAMENTAL:
            return findings  # the other checks would report the same mistake
    if isinstance(checks, Compiled) and all(x.holds for x in findings):
        finding = _finding(checks.rules, "compiled", checks.parameters)
        findings += [] if finding.holds else [finding]
    findings += doubts(checks)
    grid = isinstance(checks, Partizan) and getattr(rules, "compiles", False)
    job = checks.compiled if grid or isinstance(checks, Compiled) else None
    if compiled and job and not interpreting() and all(x.holds for x in findings):
        # Rules with a mistake must not run as machine code.
        findings.append(_finding(checks.rules, "compiled", job))
    return findings


def require_sound(rules: Any) -> None:
    """Refuse rules in which a check finds a mistake; the package's own are trusted.

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
    findings = check_rules(rules, compiled=False)
    mistakes = [x for x in findings if not x.holds]
    if mistakes:
        raise InvalidRulesError(mistakes[0].message)


def _checks(rules: Any, samples: int | None, seed: int) -> Checks:
    if isinstance(rules, CompiledRules):
        return Compiled(rules, samples, seed)
    if isinstance(rules, PartizanRules):
        return Partizan(rules, samples, seed)
    return Plain(as_rules(rules), samples, seed)


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
