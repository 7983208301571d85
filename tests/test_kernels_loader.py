"""Object files loaded without LLVM's linker: the same code runs, and nothing unknown does."""

import ctypes
import random
import struct
import subprocess
import sys

import numpy as np
import pytest

from zermelo._runtime import loader
from zermelo._runtime.compiled import native
from zermelo._runtime.compiled.jit import kernel, note_fault

pytestmark = [
    pytest.mark.compiled,
    pytest.mark.skipif(
        not loader.is_supported(),
        reason="the loader is for Linux on x86-64; LLVM does it elsewhere",
    ),
]

JUMPS = 12


@kernel
def many_ways(values, choice, out):
    """A kernel with a table of jumps, constants in memory, and a call of another function."""
    for v in range(len(out)):
        out[v] = 0
    total = 0
    for x in values:
        k = choice[x % 12]
        if k == 0:
            total += x
        elif k == 1:
            total -= 7 * x
        elif k == 2:
            total ^= x << 3
        elif k == 3:
            total += 12345678901234
        elif k == 4:
            total = -total
        elif k == 5:
            out[x % len(out)] = total
        elif k == 6:
            total += out[(x + 1) % len(out)]
        elif k == 7:
            total |= 1
        else:
            note_fault(1, x)
    return total


@pytest.fixture(scope="module")
def code():
    kinds = native.signature(arguments())
    made = native.object_code(many_ways.inner, kinds, [], "zermelo_many_ways")
    assert made is not None
    return made


def arguments(seed=1):
    r = np.random.default_rng(seed)
    return r.integers(0, 1000, 500), r.integers(0, 8, JUMPS), np.zeros(64, np.int64)


def outside(name):
    return native._function_of_process(name)


def test_the_same_as_llvm_and_python(code):
    address = loader.load(code.code, code.symbol, outside)
    assert address
    ours = native.Native("ours", address, code.result, code.signature)
    theirs = native.Native("llvm", native._link_with_llvm(code, {})[1], code.result, code.signature)
    for seed in range(20):
        a, b, c = arguments(seed), arguments(seed), arguments(seed)
        expected = many_ways.function(*c)
        assert ours(*a) == theirs(*b) == expected
        assert (a[2] == c[2]).all()
        assert (b[2] == c[2]).all()


def test_a_damaged_file_crashes_nothing(code):
    """A file with any byte changed, or cut anywhere, is loaded or refused; it is never called."""
    r = random.Random(1)
    refused = 0
    for _ in range(1500):
        data = bytearray(code.code)
        for _ in range(r.choice([1, 1, 4])):
            data[r.randrange(len(data))] = r.choice([0, 1, 255, r.randrange(256)])
        if r.random() < 0.3:
            del data[r.randrange(len(data)) :]
        refused += loader.load(bytes(data), code.symbol, outside) is None
    assert refused > 300


def test_every_header_field_is_checked(code):
    """The fields of the header and of the sections, set to extreme numbers."""
    (table,) = struct.unpack_from("<Q", code.code, 40)
    places = [*range(16, 64, 2), *range(table, len(code.code) - 8, 4)]
    refused = 0
    for place in places:
        for number in (0xFFFF, 2**31, 2**63 - 1, 2**64 - 1):
            data = bytearray(code.code)
            data[place : place + 8] = number.to_bytes(8, "little")
            refused += loader.load(bytes(data), code.symbol, outside) is None
    assert refused > len(places)


@pytest.mark.parametrize("symbol", ["", "zermelo_other", "zermelo_many_way"])
def test_a_symbol_that_is_not_there(code, symbol):
    assert loader.load(code.code, symbol, outside) is None


def test_a_function_that_the_process_does_not_have(code):
    """A file that needs a function which is not there is refused before anything runs."""
    image = loader._Image(code.code, outside)
    names = {s.name for s in image.symbols[1:] if s.section == loader.UNDEFINED and s.name}
    assert native.FAULT.encode() in names
    assert loader.load(code.code, code.symbol, lambda name: None) is None


def test_an_unknown_relocation_is_left_to_llvm(code):
    image = loader._Image(code.code, outside)
    table = next(
        s for s in image.sections if s.kind == loader.RELOCATIONS and s.info in image.place_of
    )
    data = bytearray(code.code)
    struct.pack_into("<I", data, table.offset + 8, 37)
    assert loader.load(bytes(data), code.symbol, outside) is None


def test_code_is_not_writable(code):
    address = loader.load(code.code, code.symbol, outside)
    with open("/proc/self/maps") as file:
        for line in file:
            low, _, high = line.split()[0].partition("-")
            if int(low, 16) <= address < int(high, 16):
                assert line.split()[1] == "r-xp"
                return
    pytest.fail("the address is in no part of the memory")


@pytest.mark.slow
@pytest.mark.unchecked
def test_a_later_process_needs_no_llvm(tmp_path, monkeypatch):
    """Reading, solving, checking and writing a parity game with kept kernels imports no LLVM."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("ZERMELO_KERNELS", "compile")
    monkeypatch.delenv("NUMBA_BOUNDSCHECK", raising=False)  # nothing is kept with bounds checks
    path = tmp_path / "game.pg"
    path.write_text("parity 2;\n0 1 0 1;\n1 2 1 0,2;\n2 0 0 0,1;\n")
    job = (
        "import sys, zermelo as zm\n"
        f"s = zm.solve(zm.read({str(path)!r})).verify()\n"
        "print(s.winner.tolist(), sorted({'numba', 'llvmlite'} & set(sys.modules)))"
    )
    first, later = (
        subprocess.run([sys.executable, "-c", job], capture_output=True, text=True, check=True)
        for _ in range(2)
    )
    assert later.stdout.split("[")[1] == first.stdout.split("[")[1]
    assert later.stdout.rstrip().endswith(" []")


def test_where_it_is_not_supported_llvm_does_it(code, monkeypatch):
    monkeypatch.setattr(loader, "is_supported", lambda: False)
    assert loader.load(code.code, code.symbol, outside) is None
    linked = native.link("many_ways", code._replace())
    a, b = arguments(3), arguments(3)
    assert linked(*a) == many_ways.function(*b)


def test_functions_of_the_process():
    assert outside("memset") == ctypes.cast(ctypes.CDLL(None).memset, ctypes.c_void_p).value
    assert outside("no_such_function_anywhere") is None
