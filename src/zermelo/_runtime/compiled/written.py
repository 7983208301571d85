"""Members of a user's class as their author wrote them.

The library may replace a member by a function of its own (see :mod:`zermelo.rules.forms`). That
function then keeps the member. Code that needs the text of rules, such as the compiler, uses the
member.
"""

from typing import Any

WRITTEN = "written_form"
"""The attribute in which a function of the library keeps the member that it replaces."""


def written(member: Any) -> Any:
    """A member of a class as its author wrote it.

    >>> from zermelo.rules.boards.rows.tictactoe import TicTacToe
    >>> written(TicTacToe.moves).__code__.co_varnames[:3]
    ('self', 'position', 'out')
    """
    return getattr(member, WRITTEN, member)
