"""What a part of an answer belongs to, compared in one place for all kinds of answers.

The proof of an answer may be a record that was made for a graph, an objective, a start or a player.
It proves nothing about others, so every checker asks here before it relies on such a record.
"""

from typing import Any

from zermelo._inputs.values import shown
from zermelo.errors import CertificateError


def check_belongs(part: str, record: Any, **own: Any) -> None:
    """Refuse a record that was not made for what the answer is about.

    ``own`` has what the answer is about: ``graph``, ``objective``, ``player``, … as the record
    calls them. Graphs are the same if they are equal, and objectives if they are of one class and
    have the same data on the graph of the record.

    >>> import zermelo as zm
    >>> graph = zm.Graph.from_edges([(0, 1)])
    >>> solution = zm.solve(graph, zm.Misere())
    >>> check_belongs("the solution", solution, graph=graph, objective=zm.Misere())
    >>> check_belongs("the solution", solution, graph=graph, objective=zm.NormalPlay())
    Traceback (most recent call last):
    zermelo.errors.CertificateError: the solution: expected one of the objective NormalPlay(), got \
one of Misere()
    """
    for name, wanted in own.items():
        given = getattr(record, name)
        if given is wanted:
            continue
        if name == "objective" and type(given) is type(wanted):
            same = given.spec(record.graph) == wanted.spec(record.graph)
        else:
            same = given == wanted
        if not same:
            raise CertificateError(
                f"{part}: expected one of the {name} {shown(wanted)}, got one of {shown(given)}"
            )
