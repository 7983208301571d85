"""A small object store for the tests, as a filesystem of fsspec: ``objects://bucket/name``.

Objects are files in the directory ``OBJECTS`` of the environment, so all processes of a machine see
them. An object is put as a whole, and it is read as a whole or in ranges. There are
no directories, no renaming, no appending, no locks and no exclusive creation. A list shows neither
the objects nor the removals of the last moments. Files in ``OBJECTS/faults`` let requests fail:
one named ``put-…`` or ``get-…`` is used up by one request, and ``put`` lets all of them fail.
"""

import contextlib
import os
import shutil
import time
from pathlib import Path
from urllib.parse import quote, unquote

from fsspec.spec import AbstractFileSystem

STALE_SECONDS = 0.2


def folder():
    return Path(os.environ["OBJECTS"])


class ObjectStore(AbstractFileSystem):
    protocol = "objects"
    cachable = False

    def _file(self, path):
        return folder() / quote(self._strip_protocol(path), safe="")

    def _fail(self, request):
        faults = folder() / "faults"
        if (faults / request).exists():
            raise OSError(f"503 the {request} was refused")
        for fault in sorted(faults.glob(f"{request}-*")):
            try:
                fault.unlink()
            except FileNotFoundError:
                continue  # another process was faster
            raise OSError(f"503 the {request} was refused")

    def _content(self, path):
        self._fail("get")
        try:
            return self._file(path).read_bytes()
        except FileNotFoundError:
            raise FileNotFoundError(path) from None

    def cat_file(self, path, start=None, end=None, **options):
        content = self._content(path)
        if start is not None and start and start >= len(content):
            raise OSError("416 the range is outside of the object")
        return content[start:end]

    def pipe_file(self, path, value, mode="overwrite", **options):
        if mode == "create":
            raise NotImplementedError("this store cannot create objects exclusively")
        self._fail("put")
        fresh = folder() / "faults" / os.urandom(6).hex()
        fresh.write_bytes(value)
        fresh.replace(self._file(path))

    def put_file(self, lpath, rpath, callback=None, mode="overwrite", **options):
        self.pipe_file(rpath, Path(lpath).read_bytes())

    def get_file(self, rpath, lpath, callback=None, **options):
        Path(lpath).write_bytes(self._content(rpath))

    def info(self, path, **options):
        return {"name": path, "size": len(self._content(path)), "type": "file"}

    def rm_file(self, path):
        ghost = folder() / "removed" / self._file(path).name
        try:
            self._file(path).replace(ghost)
            os.utime(ghost)
        except FileNotFoundError:
            raise FileNotFoundError(path) from None

    def ls(self, path, detail=True, **options):
        first = self._strip_protocol(path).rstrip("/") + "/"
        limit, found = time.time() - STALE_SECONDS, []
        for entry in [*os.scandir(folder()), *os.scandir(folder() / "removed")]:
            name, ghost = unquote(entry.name), "removed" in entry.path
            if not name.startswith(first) or "/" in name[len(first) :]:
                continue
            try:
                if (entry.stat().st_mtime > limit) == ghost:
                    found.append({"name": name, "size": 0, "type": "file"} if detail else name)
            except FileNotFoundError:
                continue  # another process removed it just now
        return found

    def _refuse(self, *arguments, **options):
        raise NotImplementedError("this store has only objects")

    _open = mv = cp_file = mkdir = rmdir = modified = _refuse


def install(directory):
    """Make a package of this file, which fsspec finds in every process with this directory."""
    shutil.copy(__file__, directory / "object_store.py")
    facts = directory / "object_store-1.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: object-store\nVersion: 1\n")
    points = "[fsspec.specs]\nobjects = object_store:ObjectStore\n"
    (facts / "entry_points.txt").write_text(points)
    root = str(Path(__file__).parents[2])  # workers import the rules of the tests from there
    return os.pathsep.join(filter(None, [str(directory), os.environ.get("PYTHONPATH"), root]))


def start(directory):
    """Make the directory of a store."""
    for name in ("faults", "removed"):
        (directory / name).mkdir(parents=True)
    return str(directory)


def names():
    """The names of all objects as they are."""
    return sorted(unquote(file.name) for file in folder().iterdir() if file.is_file())


def change(part, action):
    """Let a function change the files of all objects whose names have a part; return how many."""
    count = 0
    for file in folder().iterdir():
        with contextlib.suppress(FileNotFoundError):  # another process removed it just now
            if part in unquote(file.name) and file.is_file():
                action(file)
                count += 1
    return count


def damage(file):
    """Change the last byte of an object."""
    content = file.read_bytes()
    file.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
