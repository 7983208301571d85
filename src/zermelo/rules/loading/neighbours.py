"""A user's file and the neighbours that it imports, as a family of modules of their own.

The folder of the file acts as a package with a unique name, and ``import consts`` in one of its
files means ``consts`` in that package if there is such a file. So ``sys.path`` does not change, no
other code of the process gets these modules, and two folders never share one.

Files are read once and compiled from the text that was read (never from ``__pycache__``, which may
be older). The text is kept, since it is the text of the code that runs, even if the file changes.
"""

import builtins
import contextlib
import hashlib
import importlib
import importlib.machinery
import importlib.util
import linecache
import sys
from collections.abc import Sequence
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

family_of_package: dict[str, "Family"] = {}


class Family:
    """A file with its neighbours; ``generation`` counts how often it was read again."""

    def __init__(self, file: Path, generation: int) -> None:
        self.file, self.folder, self.generation = file, file.parent, generation
        digest = hashlib.sha256(str(file).encode("utf-8", "surrogatepass")).hexdigest()[:16]
        self.package = f"zermelo_rules_{digest}" + (f"_{generation}" if generation else "")
        self.texts: dict[Path, bytes] = {}
        self.absent: set[str] = set()
        self.builtins = {**vars(builtins), "__import__": self._import}

    def main(self) -> ModuleType:
        """The module of the file itself."""
        if self.package not in sys.modules:
            spec = importlib.machinery.ModuleSpec(self.package, None, is_package=True)
            spec.submodule_search_locations = [self._spelled(self.folder)]
            sys.modules[self.package] = importlib.util.module_from_spec(spec)
            family_of_package[self.package] = self
            if _finder not in sys.meta_path:
                sys.meta_path.insert(0, _finder)
        return importlib.import_module(self._name(self.file.stem))

    def module(self, name: str) -> ModuleType | None:
        """The neighbour that ``import name`` in one of the files means, or None."""
        full = name if name.startswith(f"{self.package}.") else f"{self.package}.{name}"
        if full not in sys.modules and self._has(full.split(".")[1]):
            with contextlib.suppress(ImportError):  # a name in a module, say
                importlib.import_module(full)
        return sys.modules.get(full)

    def is_current(self) -> bool:
        """Whether the files are unchanged, and no new neighbour would be imported."""
        try:
            unchanged = all(path.read_bytes() == text for path, text in self.texts.items())
        except OSError:
            return False
        return unchanged and not any(self._has(name) for name in self.absent)

    def forget(self) -> None:
        """Remove the modules, after one of them has failed."""
        family_of_package.pop(self.package, None)
        for name in [*sys.modules]:
            if name == self.package or name.startswith(f"{self.package}."):
                del sys.modules[name]

    def spec(self, name: str, folder: str) -> importlib.machinery.ModuleSpec | None:
        """The specification of a module of the family in a folder, if there is one."""
        last = name.rpartition(".")[2]
        if name == self._name(self.file.stem):
            return self._spec(name, f"{folder}/{self.file.name}")
        if Path(folder, last, "__init__.py").is_file():
            return self._spec(name, f"{folder}/{last}/__init__.py", [f"{folder}/{last}"])
        if Path(folder, f"{last}.py").is_file():
            return self._spec(name, f"{folder}/{last}.py")
        return None

    def _spec(
        self, name: str, file: str, inside: list[str] | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        return importlib.util.spec_from_file_location(
            name, file, loader=_Loader(self, name, file), submodule_search_locations=inside
        )

    def _name(self, stem: str) -> str:
        return f"{self.package}.{stem.replace('.', '_')}"

    def _spelled(self, folder: Path) -> str:
        """The folder, written so that Python keeps the lines of each generation apart."""
        return f"{folder}{'/.' * self.generation}"

    def _has(self, name: str) -> bool:
        return (self.folder / f"{name}.py").is_file() or (
            self.folder / name / "__init__.py"
        ).is_file()

    def _import(
        self,
        name: str,
        scope: dict[str, Any] | None = None,
        local: Any = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> Any:
        """Import for the files of the family: neighbours first."""
        top = name.partition(".")[0]
        asking = (scope or {}).get("__name__")
        if level == 0 and top not in sys.builtin_module_names and self._name(top) != asking:
            if self._has(top):
                found = importlib.import_module(f"{self.package}.{name}")
                if not fromlist:
                    return sys.modules[f"{self.package}.{top}"]
                return builtins.__import__(found.__name__, scope, local, fromlist, 0)
            self.absent.add(top)
        return builtins.__import__(name, scope, local, fromlist or (), level)


class _Loader(importlib.machinery.SourceFileLoader):
    """Reads a file once and keeps its text."""

    def __init__(self, family: Family, name: str, file: str) -> None:
        super().__init__(name, file)
        self.family = family
        self.text: str | None = None

    def get_code(self, fullname: str) -> CodeType:
        """The code of the file as it is now, never that of an earlier version."""
        file = Path(self.path)
        data = self.family.texts[file] = file.read_bytes()
        self.text = importlib.util.decode_source(data)
        lines = self.text.splitlines(keepends=True)
        linecache.cache[self.path] = len(self.text), None, lines, self.path
        code: CodeType = self.source_to_code(data, self.path)
        return code

    def get_source(self, fullname: str) -> str | None:
        """The text that was read."""
        return self.text

    def exec_module(self, module: ModuleType) -> None:
        """Run the file, with an ``import`` that knows its neighbours."""
        vars(module)["__builtins__"] = self.family.builtins
        super().exec_module(module)


class _Finder:
    """Finds modules of families, and no others."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The specification of a module."""
        family = family_of_package.get(name.partition(".")[0])
        if family is None or not path:
            return None
        return family.spec(name, path[0])


_finder = _Finder()
