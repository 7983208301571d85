"""What a notebook shows of a misère quotient."""

from typing import TYPE_CHECKING

from zermelo._inputs import page
from zermelo.errors import ZermeloError

if TYPE_CHECKING:
    from zermelo.sums.misere.quotient import MisereQuotient

MOST_ELEMENTS = 16
"""A larger multiplication table is left out."""
MOST_HEAPS = 24
MOST_ORDER = 400
"""The elements of a larger quotient are not named only to be shown."""


def quotient_page(quotient: "MisereQuotient") -> str:
    """The presentation, the element of each heap, and the multiplication table if it is small.

    >>> import zermelo as zm
    >>> text = quotient_page(zm.misere_quotient("0.77", 5))
    >>> "a2=1,b3=b,c2=1" in text, text.count("<table")
    (True, 2)
    """
    caption = page.caption(repr(quotient))
    if quotient.order > MOST_ORDER:
        return page.block(caption)
    try:
        presentation, elements = str(quotient), quotient.elements
    except ZermeloError:  # a forged quotient has no presentation; verify() says more
        return page.block(caption)
    heaps = range(min(len(quotient.phi), MOST_HEAPS))
    values = page.joined((f"Φ({n}) = {elements[quotient.phi[n]]}" for n in heaps), MOST_HEAPS)
    rest = ", …" if len(quotient.phi) > MOST_HEAPS else ""
    facts = page.facts(
        [
            ("presentation", presentation),
            ("order", quotient.order),
            ("tame", "yes" if quotient.tame else "no"),
            ("heaps", values + rest),
        ]
    )
    return page.block(caption, facts, _product(quotient))


def _product(quotient: "MisereQuotient") -> str:
    """The multiplication table; an asterisk marks the elements of the P-portion."""
    if quotient.order > MOST_ELEMENTS:
        return ""
    names = [x + "∗" * bool(quotient.losing[k]) for k, x in enumerate(quotient.elements)]
    rows = [[names[x], *(names[y] for y in row)] for x, row in enumerate(quotient.product.tolist())]
    note = page.caption("Products; ∗ marks the P-portion, where the player to move loses.")
    return page.table(["·", *names], rows) + note
