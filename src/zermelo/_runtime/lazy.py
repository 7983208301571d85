"""Names of a package that are imported when they are first used.

A command uses a few of the public names, and importing the modules of all of them takes longer
than to solve a small game.
"""

import importlib
import re
import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from zermelo._runtime import forks  # noqa: F401  a fork may come while another thread imports


class _Package(ModuleType):
    """A package whose names come from its modules when they are first used.

    Importing the module ``zermelo.solve`` would hide the function ``zermelo.solve``, because
    Python sets each module as an attribute of its package. So a name of the table is never set to
    a module unless the table says that the name is a module.
    """

    _home: Mapping[str, str]

    def __getattr__(self, name: str) -> Any:
        home = self.__dict__["_home"].get(name)
        if home is None:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}", name=name)
        module = importlib.import_module(home)
        if home != f"{self.__name__}.{name}" or hasattr(module, name):
            module = getattr(module, name)
        self.__dict__[name] = module
        return module

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, ModuleType) and name in self.__dict__["_home"]:
            return
        super().__setattr__(name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        """A function that uses the package can be sent to another process."""
        return importlib.import_module, (self.__name__,)

    def __dir__(self) -> list[str]:
        return sorted({*self.__dict__, *self.__dict__["_home"]})


def import_on_use(package: str) -> list[str]:
    """Let a package take names from other modules when they are first used; return these names.

    The names are those that the package's ``__init__.pyi`` imports. A name that a package imports
    from itself is a module.

    >>> import zermelo as zm
    >>> zm.transform.__name__, zm.solve.__name__, sys.modules["zermelo.solve"].__name__
    ('zermelo.transform', 'solve', 'zermelo.solve')
    >>> import pickle
    >>> pickle.loads(pickle.dumps(zm)) is zm
    True
    """
    module = sys.modules[package]
    with open(f"{module.__path__[0]}/__init__.pyi", encoding="utf-8") as stub:
        found = re.findall(r"^from (\S+) import \(?\s*(\w+) as", stub.read(), re.MULTILINE)
    names = {name: f"{home}.{name}" if home == package else home for home, name in found}
    module.__dict__["_home"] = names
    module.__class__ = _Package
    return sorted(names)
