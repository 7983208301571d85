"""Headers and planes that are signed and wrong: each is one sentence, and none takes memory."""

import json
import os

import pytest
import zstandard
from tests.fuzz.tables import Parts
from tests.tables.test_build import Sparse

import zermelo as zm
from zermelo.errors import DiskError, FormatError, InvalidRulesError, LimitError
from zermelo.tables.building.folder import listing, located_by
from zermelo.tables.storage.file import MAGIC, MAX_TEXT_BYTES, PREAMBLE, TableFile


@pytest.fixture(scope="module")
def nim(tmp_path_factory):
    path = tmp_path_factory.mktemp("nim") / "nim.zt"
    zm.build("nim:1,2", path).close()
    return path.read_bytes()


def forged(nim, tmp_path, change):
    parts = Parts.of(nim)
    change(parts)
    path = tmp_path / "t.zt"
    path.write_bytes(parts.signed())
    return path


HEADERS = {
    "/objective: expected a keyword or null, got nothing": lambda h: h.pop("objective"),
    "/objective: expected a keyword or null, got ['win']": lambda h: h.update(objective=["win"]),
    "/stored: expected a number from 0": lambda h: h.update(stored=10**30),
    "/counts: expected the counts of a table, got": lambda h: h["counts"].update(win=-1),
    "/first: expected a list of texts": lambda h: h.update(first={"a": 1}),
    "expected the first key of every block": lambda h: h.pop("first"),
    "/distances: expected base, step": lambda h: h["distances"].update({"lose-in": [0, 10**30, 9]}),
    "codes of distances up to 1,073,741,823": lambda h: h["distances"].update({"lose-in": [0, 2]}),
    "/rules/class: expected a printable text": lambda h: h["rules"].update({"class": "\x1b[2J"}),
    "/rules: expected an object, got None": lambda h: h.update(rules=None),
    "/entries: expected a number from 1": lambda h: h.update(entries=0),
    "/tiers/0/file: expected the name of a table": lambda h: h.update(tiers=[{"file": "../t.zt"}]),
}


@pytest.mark.parametrize("message", HEADERS)
def test_a_header_that_is_wrong(nim, tmp_path, message):
    path = forged(nim, tmp_path, lambda parts: HEADERS[message](parts.header))
    with pytest.raises(FormatError) as caught:
        TableFile(path)
    assert message.removeprefix("codes of ") in str(caught.value)
    assert "the header is damaged: " in str(caught.value)


@pytest.mark.parametrize("header", [[], None, 5, "text", [{}]])
def test_a_header_that_is_no_object(nim, tmp_path, header):
    path = forged(nim, tmp_path, lambda parts: setattr(parts, "header", header))
    with pytest.raises(FormatError, match="the header is damaged: expected an object"):
        TableFile(path)


def unread(monkeypatch):
    """Note how many bytes are read at once."""
    given = []
    read = TableFile._bytes

    def noted(self, start, stop):
        given.append(stop - start)
        return read(self, start, stop)

    monkeypatch.setattr(TableFile, "_bytes", noted)
    return given


@pytest.mark.parametrize("change", ["entries", "length"])
def test_a_large_file_is_not_read_because_of_its_header(nim, tmp_path, monkeypatch, change):
    """The file has holes, and its header claims a gigabyte before the blocks."""
    given, size, parts = unread(monkeypatch), 1 << 30, Parts.of(nim)
    if change == "entries":
        parts.header["entries"] = 1 << 50
    text = json.dumps(parts.header).encode()
    length = len(text) if change == "entries" else size - 100
    path = tmp_path / "t.zt"
    with path.open("wb") as file:
        file.write(PREAMBLE.pack(MAGIC, parts.version, length, size, bytes(8)) + text)
        file.truncate(size)
    with pytest.raises(FormatError, match="the header is damaged: expected"):
        TableFile(path)
    assert sum(given) < 10_000


def test_a_header_that_a_table_would_not_read_again_is_not_written(nim, tmp_path, monkeypatch):
    monkeypatch.setattr("zermelo.tables.storage.write.MAX_HEADER_BYTES", 100)
    with pytest.raises(LimitError, match="a header of at most 100 bytes"):
        zm.build("nim:1,2", tmp_path / "t.zt")
    assert list(tmp_path.iterdir()) == []


def record(header, **more):
    """The only tier of a file."""
    same = {name: header[name] for name in ("entries", "stored", "counts")}
    rules = {"game": header["rules"]["game"], "rules": header["rules"]["digest"]}
    return {"file": "t.zt", "content": "", "ties": 0, "longest": 9, **rules, **same, **more}


@pytest.mark.parametrize("keys", ["texts", "indices", "positions", "conversion"])
def test_a_tier_has_an_index(nim, tmp_path, keys):
    """Keys beside the entries, and distances to conversion, are not those of a tier."""

    def change(parts):
        header = parts.header
        if keys == "conversion":
            header.update(distances_to=keys, keys="index", kinds=["win"], distances={})
            parts.planes = [parts.planes[0][:1]]
        else:
            header["keys"] = keys
            parts.first = [] if keys == "texts" else [0]
        parts.header["tiers"], parts.version = [record(header)], 5

    with pytest.raises(FormatError, match="the header is damaged: the layout is impossible"):
        zm.Table(forged(nim, tmp_path, change))


@pytest.mark.parametrize("games", [["a"], ["a", "b"]])
def test_games_that_are_tiers_of_each_other(nim, tmp_path, games):
    parts = Parts.of(nim)
    parts.header["keys"], parts.planes = "index", [parts.planes[0][:-1]]
    parts.version, names = 5, [*games, *games]
    for k, name in enumerate(games):
        lower = names[k + len(games) - 1]
        parts.header["tiers"] = [record(parts.header, game=x) for x in (lower, name)]
        (tmp_path / f"{name}.zt").write_bytes(parts.signed())
    message = "expected [ab] to have fewer than the [0-9,]+ entries of [ab], because it is a tier"
    for call in (zm.Table, listing, lambda path: located_by(path, "")):
        with pytest.raises(FormatError, match=message):
            call(tmp_path)


def test_planes_are_as_large_as_the_header_allows(nim, tmp_path, monkeypatch):
    """A frame of some kilobytes that becomes a gigabyte; with its length in it, and without."""
    bombs = [
        zstandard.ZstdCompressor(write_content_size=sized).compress(bytes(1 << 20))
        for sized in (True, False)
    ]
    given: list[int] = []
    decompressor = zstandard.ZstdDecompressor

    class Noted:
        def decompress(self, frame, max_output_size):
            given.append(max_output_size)
            return decompressor().decompress(frame, max_output_size=max_output_size)

    monkeypatch.setattr(zstandard, "ZstdDecompressor", Noted)
    for number in range(3):
        for bomb in bombs:

            def change(parts, bomb=bomb, number=number):
                parts.planes[0][number] = bomb

            message = "block 0 is damaged: (expected|its data are no frame of) at most"
            path = forged(nim, tmp_path, change)
            with TableFile(path) as table, pytest.raises(FormatError, match=message):
                table.check()
    assert max(given) <= 6 * MAX_TEXT_BYTES


@pytest.mark.parametrize(
    "texts",
    [["", "1", "2"], ["0", "1", "1+1", "1+2", "2", "3"], ["1", "0", "1+1", "1+2", "2", "x"]],
)
def test_texts_that_are_not_those_of_the_positions(nim, tmp_path, texts):
    def change(parts):
        parts.planes[0][-1] = zstandard.compress("\0".join(texts).encode())

    path = forged(nim, tmp_path, change)
    with pytest.raises(FormatError), zm.Table(path) as table:
        list(table)


def test_a_text_that_a_table_would_not_read_again_is_not_written(tmp_path):
    class Long(zm.Rules):
        def start(self):
            return 1

        def moves(self, n):
            return [0] if n else []

        def show(self, n):
            return "é" * (2047 + n)

    with pytest.raises(
        InvalidRulesError, match="texts of fewer than 4,096 bytes, got one of 4,096"
    ):
        zm.build(Long(), tmp_path / "t.zt", check=False)


@pytest.fixture(scope="module")
def sparse(tmp_path_factory):
    path = tmp_path_factory.mktemp("sparse") / "t.zt"
    zm.build(Sparse(60, 17), path, check=False).close()
    return path.read_bytes()


@pytest.mark.parametrize("first", [-20, -(10**6), -(1 << 63)])
def test_indices_below_zero(sparse, tmp_path, first):
    path = forged(sparse, tmp_path, lambda parts: setattr(parts, "first", [first]))
    with pytest.raises(FormatError, match="the header is damaged: expected keys from 0 on, got -"):
        zm.Table(path, Sparse(60, 17))


@pytest.mark.parametrize("first", [20, 1180, 10**9, 1 << 61, (1 << 63) - 1])
@pytest.mark.parametrize("use", [list, lambda table: list(table.sample(1)), zm.Table.decoded])
def test_indices_beyond_those_of_the_rules(sparse, tmp_path, first, use):
    """The last index of the game is that of the last entry, so all later ones are too large."""
    path = forged(sparse, tmp_path, lambda parts: setattr(parts, "first", [first]))
    message = "block 0 is damaged: expected (keys below 1,200, got|sorted keys)"
    with zm.Table(path, Sparse(60, 17)) as table, pytest.raises(FormatError, match=message):
        use(table)


def test_a_small_table_of_a_large_game(nim, tmp_path):
    """The rules of a header may have more positions than the table: they are not all explored."""

    def change(parts):
        from zermelo.tables.probing.access import rules_digest

        name = "nim:30,30,30,30,30,30"
        parts.header["rules"] = {
            "game": name, "class": "Nim", "digest": rules_digest(zm.game(name)),
        }  # fmt: skip

    path, message = forged(nim, tmp_path, change), "expected an entry for each position"
    with zm.Table(path) as table, pytest.raises(FormatError, match=message):
        list(table)


def test_entries_of_an_index_are_those_of_the_rules(tmp_path):
    zm.build("hexapawn:2x3", tmp_path / "t.zt").close()
    data = (tmp_path / "t.zt").read_bytes()
    if Parts.of(data).header["keys"] == "index":

        def change(parts):
            parts.header["entries"] -= 1

        with pytest.raises(FormatError, match="indices, and its rules do not"):
            zm.Table(forged(data, tmp_path, change))
    path = forged(data, tmp_path, lambda parts: parts.header.update(keys="texts", first=["a"]))
    with pytest.raises(FormatError):
        zm.Table(path)


def test_a_directory_that_cannot_be_written(tmp_path, monkeypatch):
    """What a user of a read-only directory sees; tests may run as a user who may do all."""
    (tmp_path / "nim.zt").write_bytes(b"")

    def denied(path, *args, **more):
        raise PermissionError(13, "Permission denied", os.fspath(path))

    table = zm.build("nim:1,2", tmp_path / "old.zt")
    monkeypatch.setattr("pathlib.Path.mkdir", denied)
    monkeypatch.setattr("zermelo.tables.storage.save.write_table", denied)
    with pytest.raises(DiskError, match=r"t\.zt.* cannot be .*written.*: permission denied"):
        zm.build("nim:1,2", tmp_path / "t.zt")
    with pytest.raises(DiskError, match=r"tables: the table cannot be written: permission denied"):
        zm.build("chess:KvK", f"{tmp_path}/tables/")
    assert table.at((1, 2)).outcome == "win"
    table.close()
