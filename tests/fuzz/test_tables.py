"""A short run of the fuzzer of tables, and every field of a header by every strange value."""

import pytest

from tests.fuzz.tables import STRANGE, Parts, places, replaced, run, seeds
from zermelo.errors import FormatError
from zermelo.tables.storage.file import TableFile


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ZERMELO_KERNELS", "interpret")
        return seeds(tmp_path_factory.mktemp("seeds"))


@pytest.mark.slow
def test_signing_changes_nothing(tables):
    for seed in tables.values():
        for data in seed.files.values():
            assert Parts.of(data).signed() == data


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Plain", "Stairs", "packed"])
def test_every_field_by_every_strange_value(tables, name, tmp_path):
    """Whatever a header says, it is read or refused, and never an exception of Python."""
    parts = Parts.of(tables[name].files[tables[name].name])
    refused = []
    for path in places(parts.header):
        for value in (*STRANGE, "gone"):
            header = replaced(parts.header, path, value, gone=value == "gone")
            place = tmp_path / "t.zt"
            place.write_bytes(Parts(parts.version, header, parts.planes, parts.first).signed())
            try:
                TableFile(place).close()
            except FormatError as error:
                refused.append(str(error))
    assert len(refused) > 200
    assert not any("\x1b" in message for message in refused)


@pytest.mark.slow
def test_no_changed_table_is_a_fault_or_a_bomb(tables, monkeypatch):
    monkeypatch.setenv("ZERMELO_KERNELS", "interpret")
    assert list(run(tables, count=100, seed=7)) == []
