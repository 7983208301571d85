"""Rules on their way to the workers, which have neither the user's files nor their paths.

The driver writes one file with all that a worker needs. Rules of a user's file travel with the
text of this file and of the neighbours that it imports, and a worker makes the same modules of
these texts. A class that belongs to no module which a worker could import (of a script, or of a
notebook) travels by value, with the text of its methods, since kernels are made from the text.
All other classes are imported by the worker, so their modules have to be installed there. In every
case the worker compares the digest of what it has got with the digest of the driver's rules.

To unpickle a file is to run what it says. So the digest of the file travels with each task through
the scheduler, and a worker unpickles nothing that has another digest. Who can write to the shared
directory cannot let workers run code.
"""

import functools
import hashlib
import inspect
import io
import linecache
import pickle
import socket
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from zermelo.errors import InvalidRulesError, JobError
from zermelo.objectives import Objective
from zermelo.rules.loading.load import families, load_module
from zermelo.rules.loading.neighbours import family_of_package
from zermelo.tables.probing.access import rules_digest, rules_name


class Given(NamedTuple):
    """What the driver was asked to solve; a table depends on nothing else."""

    rules: Any
    objective: Objective | None
    symmetry: bool
    header: dict[str, Any]


def pack_given(given: Given) -> bytes:
    """The content of the file that tells workers what is solved.

    >>> import zermelo as zm
    >>> content = pack_given(Given(zm.game("connect4:4x4"), None, True, {}))
    >>> unpack_given(content, file_digest(content)).rules.known_as
    'connect4:4x4'
    """
    import cloudpickle  # type: ignore[import-untyped]

    kind = type(given.rules)
    package = kind.__module__.partition(".")[0]
    family = family_of_package.get(package)
    texts, main = {}, ""
    if family is not None:
        main = family.file.name
        texts = {str(x.relative_to(family.folder)): text for x, text in family.texts.items()}
    try:
        content = cloudpickle.dumps(given)
    except Exception as error:
        raise InvalidRulesError(
            f"{rules_name(given.rules)}: these rules cannot be sent to the workers: {error}; keep "
            "only numbers and arrays in them"
        ) from None
    return pickle.dumps(
        {
            "name": rules_name(given.rules),
            "digest": rules_digest(given.rules),
            "package": package,
            "main": main,
            "texts": texts,
            "lines": _lines(kind),
            "content": content,
        }
    )


def _lines(kind: type) -> dict[str, str]:
    """The texts of the files of classes that travel by value."""
    found = {}
    for base in kind.__mro__:
        home = sys.modules.get(base.__module__)
        if base.__module__ != "__main__" and getattr(home, base.__qualname__, None) is base:
            continue
        for member in vars(base).values():
            if inspect.isfunction(member):
                file = member.__code__.co_filename
                found[file] = "".join(linecache.getlines(file, member.__globals__))
    return found


def file_digest(content: bytes) -> str:
    """A digest of the file that tells workers what is solved; no other file has the same."""
    return hashlib.blake2b(content, digest_size=32).hexdigest()


@functools.lru_cache(maxsize=8)
def unpack_given(content: bytes, digest: str) -> Given:
    """What the driver has sent; a worker that cannot load it, or has other code, says so.

    ``digest`` came from the driver on another way. A file that has another one is not unpickled.
    """
    host = socket.gethostname()
    if file_digest(content) != digest:
        raise JobError(
            f"the worker on {host} finds other rules in the shared directory than the driver has "
            "written there; see who can write to the directory"
        )
    sent = pickle.loads(content)
    for file, text in sent["lines"].items():
        linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    try:
        given = _loaded(sent)
    except Exception as error:
        message = str(error) or type(error).__name__
        raise JobError(
            f"the worker on {host} cannot load the rules of {sent['name']}: {message}; what they "
            "import must be installed on all machines"
        ) from None
    if rules_digest(given.rules) != sent["digest"]:
        raise JobError(
            f"the worker on {host} has another version of the rules of {sent['name']} than the "
            f"driver; install the same version of {type(given.rules).__module__} on all machines"
        )
    return given


def _loaded(sent: dict[str, Any]) -> Given:
    """Make the modules of a user's file, if there is one, and then the rules."""
    if not sent["main"]:
        return _Unpickler(sent["content"], "", "").rules()
    with tempfile.TemporaryDirectory(prefix="zermelo-rules-") as folder:
        for name, text in sent["texts"].items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text)
        file = Path(folder, sent["main"])
        load_module(str(file))
        family = families[file.resolve()]
        return _Unpickler(sent["content"], sent["package"], family.package).rules()


class _Unpickler(pickle.Unpickler):
    """Finds the modules of the driver's package of a user's files in that of this process."""

    def __init__(self, content: bytes, theirs: str, ours: str) -> None:
        super().__init__(io.BytesIO(content))
        self._theirs, self._ours = theirs, ours

    def find_class(self, module: str, name: str) -> Any:
        """A class or function; the module is imported."""
        first, dot, rest = module.partition(".")
        if self._theirs and first == self._theirs:
            module = f"{self._ours}{dot}{rest}"
        return super().find_class(module, name)

    def rules(self) -> Given:
        """What was sent."""
        given = self.load()
        assert isinstance(given, Given)
        return given
