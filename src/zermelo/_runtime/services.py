"""Functions of higher layers that records call by name: to be written, drawn or explained.

Formats and pictures import the records that they show, so a record cannot import them. The package
``zermelo`` stands above all of them and says where each function is. It does so when it is
imported, which is before any of its modules. A function is imported when it is first called.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

_places: dict[str, str] = {}


def provide(places: Mapping[str, str]) -> None:
    """Say where services are, as ``module:function`` by name."""
    _places.update(places)


def service(name: str) -> Callable[..., Any]:
    """The function that does this service.

    >>> service("graph-picture").__name__
    'graph_svg'
    """
    module, _, function = _places[name].partition(":")
    found: Callable[..., Any] = getattr(import_module(module), function)
    return found
