"""Computation tree logic (CTL), translated into the modal μ-calculus.

A *path* is a walk that goes on for ever or ends at a position without moves. ``A`` means "on all
paths from here" and ``E`` "on some path"; X means "at the next position, if there is one" under A,
and "at a next position, which exists" under E.

| CTL        | meaning on a path               | μ-calculus                            |
|------------|---------------------------------|---------------------------------------|
| `EX p`     | the next position satisfies p   | `<>p`                                 |
| `AX p`     | the same for all next positions | `[]p`                                 |
| `EF p`     | some position satisfies p       | `mu Z. p \\| <>Z`                     |
| `AF p`     | the same on all paths           | `mu Z. p \\| ([]Z & <>true)`          |
| `EG p`     | all positions satisfy p         | `nu Z. p & (<>Z \\| []false)`         |
| `AG p`     | the same on all paths           | `nu Z. p & []Z`                       |
| `E[p U q]` | p until q, and q comes          | `mu Z. q \\| (p & <>Z)`               |
| `A[p U q]` | the same on all paths           | `mu Z. q \\| (p & []Z & <>true)`      |
| `E[p W q]` | p until q, or p for ever        | `nu Z. q \\| (p & (<>Z \\| []false))` |
| `A[p W q]` | the same on all paths           | `nu Z. q \\| (p & []Z)`               |
| `E[p R q]` | q until p and q, or q for ever  | `nu Z. q & (p \\| <>Z \\| []false)`   |
| `A[p R q]` | the same on all paths           | `nu Z. q & (p \\| []Z)`               |

The operators may be mixed with those of the μ-calculus. Reference: [GamesOnGraphs] §3.1.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zermelo.mu_calculus.syntax import Formula

STEPS = ("AX", "EX", "AF", "EF", "AG", "EG")
"""The operators with one operand."""


def translate(operator: str, parts: "tuple[Formula, ...]", variable: str, column: int) -> "Formula":
    """The formula of the μ-calculus for an operator of CTL and its operands.

    ``variable`` is a name that does not occur in the operands, unless a fixpoint there binds it.

    >>> from zermelo.mu_calculus import parse
    >>> str(parse("AG (p -> EF q)"))
    '(nu Z0. ((!p | (mu Z0_. (q | <>Z0_))) & []Z0))'
    """
    from zermelo.mu_calculus.syntax import Formula

    def make(kind: str, *inside: Formula) -> Formula:
        return Formula(kind, inside, column=column)

    quantifier, sign = operator[0], operator[1]
    z = Formula("name", name=variable, column=column)
    step = make("<>" if quantifier == "E" else "[]", parts[0] if sign == "X" else z)
    if sign == "X":
        return step
    # A path may end: it must not where something is still to come, and it may where nothing is.
    if quantifier == "E":
        coming, lasting = step, make("|", step, make("[]", make("false")))
    else:
        coming, lasting = make("&", step, make("<>", make("true"))), step
    last = parts[-1]
    body = {
        "F": lambda: make("|", last, coming),
        "G": lambda: make("&", last, lasting),
        "U": lambda: make("|", last, make("&", parts[0], coming)),
        "W": lambda: make("|", last, make("&", parts[0], lasting)),
        "R": lambda: make("&", last, make("|", parts[0], lasting)),
    }[sign]()
    return Formula("mu" if sign in "FU" else "nu", (body,), variable, column)
