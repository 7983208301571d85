"""Records and files of a job that were changed in one place, with checksums that are right."""

import copy
import json
import shutil
import zlib

VALUES = (
    None, True, -1, 0, 1, 7, 2**31, 2**40, 2**63, 10**30, 1.5, "", "x", "../x", "0", [], [0], {},
    {"x": 1}, ["state-0-1.level", 2**40, 0],
)  # fmt: skip
"""What stands in the place of another value."""

MISSING, TWICE, SHORT = object(), object(), object()
"""Not the field; an entry of a list twice; not the last entry of a list."""


def places(value, path=()):
    """The paths of all values in a record."""
    yield path
    entries = enumerate(value) if isinstance(value, list) else ()
    for key, below in value.items() if isinstance(value, dict) else entries:
        yield from places(below, (*path, key))


def changed(record, path, value):
    """The record with one value replaced or left out; None if that is not possible."""
    result = copy.deepcopy(record)
    *above, last = path
    place = result
    for key in above:
        place = place[key]
    if value is MISSING:
        del place[last]
    elif value is TWICE or value is SHORT:
        if not isinstance(place[last], list) or not place[last]:
            return None
        if value is SHORT:
            place[last].pop()
        else:
            place[last].append(copy.deepcopy(place[last][-1]))
    else:
        place[last] = value
    return None if result == record else result


def all_changes(record):
    """All pairs of a path and a changed record."""
    for path in places(record):
        if path:
            for value in (*VALUES, MISSING, TWICE, SHORT):
                if (forged := changed(record, path, value)) is not None:
                    yield path, forged


def read_record(path):
    """The record in a file of a job."""
    return json.loads(path.read_text().partition("\n")[2])


def write_record(path, record):
    """Write a record with its checksum."""
    text = json.dumps(record, sort_keys=True)
    path.write_text(f"{zlib.crc32(text.encode()):08x}\n{text}\n")


def write_file(folder, record, seal, content):
    """Write a file of a job, and its size and checksum into the record ``record`` of the job."""
    (folder / seal[0]).write_bytes(content)
    seal[1:] = len(content), zlib.crc32(content)
    write_record(folder / record[0], record[1])


class Kept:
    """A directory as it was, which can be brought back."""

    def __init__(self, folder, copy_to):
        self.folder, self.copy = folder, copy_to
        shutil.copytree(folder, copy_to)

    def restore(self):
        if self._names(self.folder) != self._names(self.copy):
            shutil.rmtree(self.folder, ignore_errors=True)
            shutil.copytree(self.copy, self.folder)

    def _names(self, folder):
        return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))
