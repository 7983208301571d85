"""Kernels as object code: the same answers as interpreted ones, and nothing damaged is run."""

import importlib.util
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import pytest

from zermelo._runtime.compiled import jit, store

SOURCE = """
from typing import NamedTuple
from zermelo._runtime.compiled.jit import kernel

class Moves(NamedTuple):
    indptr: object
    indices: object

class Turned(NamedTuple):
    indices: object
    indptr: object

class Queue(NamedTuple):
    items: object
    tail: int
    full: bool

@kernel
def degree(moves, v):
    return moves.indptr[v + 1] - moves.indptr[v]

@kernel
def list_busy(moves, reverse, queue):
    '''List the positions with more moves than reverse moves; how many there are.'''
    tail = queue.tail
    for v in range(len(moves.indptr) - 1):
        if degree(moves, v) > degree(reverse, v) and not queue.full:
            queue.items[tail] = v
            tail += 1
    return tail

@kernel
def first_target(moves):
    return moves.indices[moves.indptr[0]]

@kernel
def first_turned(moves):
    return first_target(Turned(moves.indices, moves.indptr))

@kernel
def shifted(a, by):
    return a + by

@kernel
def total(values, skip, pair, flag, out):
    number = 0
    for v in values:
        number += v
    out[0] = shifted(number, pair[0] if flag else pair[1]) - skip

@kernel
def any_above(values, bound):
    for v in values:
        if v > bound:
            return True
    return False

@kernel
def length(values):
    return len(values)

@kernel
def scale(values, factor, out):
    for k in range(len(values)):
        out[k] = values[k] * factor
    return len(values)

@kernel
def two(a, b):
    return a, b
"""


@pytest.fixture
def probe(tmp_path, monkeypatch):
    """A module of kernels of its own, in the package as far as kernels can tell."""
    # Bytecode is known by the second of its source: a text of the same second and size is not seen.
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("ZERMELO_KERNELS", "compile")
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    monkeypatch.delenv("NUMBA_BOUNDSCHECK", raising=False)
    jit.cache_directory.cache_clear()
    file = tmp_path / "probe.py"
    file.write_text(SOURCE)

    def load():
        name = "zermelo._kernels.probe"
        spec = importlib.util.spec_from_file_location(name, file)
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, name, module)
        spec.loader.exec_module(module)
        return module

    load.files = lambda: sorted((tmp_path / "cache" / "kernels").glob("probe.*.o"))
    load.source = file
    yield load
    jit.cache_directory.cache_clear()


def no_compiler(*args):
    raise AssertionError("compiled although there is object code")


@pytest.mark.compiled
@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.int64, np.bool_])
def test_arguments_and_results(probe, monkeypatch, dtype):
    values = np.array([1, 0, 1, 1], dtype)
    for again in (False, True):
        module = probe()
        if again:
            monkeypatch.setattr(jit, "object_code", no_compiler)
        for flag, expected in ((True, 3 + 10 - 5), (False, 3 + 20 - 5)):
            out = np.zeros(1, np.int64)
            assert module.total(values, 5, (10, 20), flag, out) is None
            assert out[0] == expected
        assert module.length(values) == 4
        assert module.shifted(-(2**40), np.int32(3)) == 3 - 2**40
        if dtype is not np.bool_:
            assert module.any_above(values, 0) is True
            assert module.any_above(values, 1) is False
        values.flags.writeable = False  # one file serves both


@pytest.mark.compiled
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_floating_point(probe, monkeypatch, dtype):
    values, out = np.array([1.5, -2.0], dtype), np.zeros(2)
    assert probe().scale(values, 0.5, out) == 2
    assert out.tolist() == [0.75, -1.0]
    assert len(probe.files()) == 1
    monkeypatch.setattr(jit, "object_code", no_compiler)
    assert probe().scale(values, -2.0, out) == 2
    assert out.tolist() == [-3.0, 4.0]


@pytest.mark.compiled
def test_what_is_outside_the_convention_still_runs(probe):
    module = probe()
    assert module.two(3, 4) == (3, 4)
    assert module.length(np.arange(10)[::2]) == 5
    assert module.any_above(np.array([0.5, 0, 1])[::2], 0) is True
    assert jit.signature((np.zeros(1, np.dtype("i4").newbyteorder("S")),)) is None
    assert probe.files() == []


# ------------------------------------------------------------------------------- records


def records(module, size=3, **other):
    """A path of so many positions, its reverse, and an empty queue."""
    ends = np.minimum(np.arange(size + 1), max(0, size - 1))
    fields = {"indptr": ends, "indices": np.arange(1, max(1, size), dtype=np.int32)} | other
    back = np.concatenate(([0], ends))[: size + 1]
    reverse = module.Moves(back, np.arange(max(0, size - 1), dtype=np.int32))
    return module.Moves(**fields), reverse, module.Queue(np.zeros(size, np.int32), 0, False)


@pytest.mark.compiled
def test_records_are_arguments(probe, monkeypatch):
    """A record is passed on to other kernels, kept, and serves read-only and empty arrays."""
    for again in (False, True):
        module = probe()
        if again:
            monkeypatch.setattr(jit, "object_code", no_compiler)
        moves, reverse, queue = records(module)
        assert module.list_busy(moves, reverse, queue) == 1
        assert queue.items.tolist() == [0, 0, 0]
        assert module.list_busy(reverse, moves, queue._replace(tail=1)) == 2
        assert queue.items.tolist() == [0, 2, 0]
        assert module.list_busy(moves, reverse, queue._replace(full=True)) == 0
        for array in (*moves, *reverse):
            array.flags.writeable = False  # one file serves both
        assert module.list_busy(moves, reverse, queue) == 1
        assert module.list_busy(*records(module, 0)) == 0
    assert len(probe.files()) == 1


def test_records_are_interpreted(probe, monkeypatch):
    monkeypatch.setenv("ZERMELO_KERNELS", "interpret")
    module = probe()
    moves, reverse, queue = records(module)
    for array in (*moves, *reverse):
        array.flags.writeable = False
    assert module.list_busy(reverse, moves, queue) == 1
    assert queue.items.tolist() == [2, 0, 0]
    assert module.list_busy(*records(module, 0)) == 0
    assert jit.elements((moves, queue, 5)) == 9


def test_an_array_in_two_records_is_one_list(monkeypatch):
    monkeypatch.setenv("ZERMELO_KERNELS", "interpret")

    class Holder(NamedTuple):
        items: np.ndarray

    @jit.kernel
    def copy_on(one, other, same):
        one.items[0] = 5
        other.items[1] = same[0]

    items = np.zeros(2, np.int64)
    copy_on(Holder(items), Holder(items), items)
    assert items.tolist() == [5, 5]


@pytest.mark.slow
@pytest.mark.compiled
def test_other_types_in_a_record_make_other_code(probe):
    module = probe()
    moves, reverse, queue = records(module)
    narrow = moves._replace(indptr=moves.indptr.astype(np.int32))
    for given in (moves, narrow, module.Turned(moves.indices, moves.indptr)):
        assert module.list_busy(given, reverse, queue) == 1
    assert len(probe.files()) == 3
    # What the convention does not cover runs, and is not kept.
    spread = moves._replace(indptr=np.repeat(moves.indptr, 2)[::2])
    assert module.list_busy(spread, reverse, queue) == 1
    assert len(probe.files()) == 3
    real = moves._replace(indptr=moves.indptr.astype(np.float64))
    assert module.list_busy(real, reverse, queue) == 1
    assert len(probe.files()) == 4


@pytest.mark.slow
@pytest.mark.compiled
def test_records_that_a_kernel_cannot_use_are_errors(probe):
    from numba.core.errors import TypingError

    module = probe()
    moves, reverse, queue = records(module)
    with pytest.raises(TypingError):  # Queue has no indptr
        module.list_busy(moves, queue, queue)
    with pytest.raises(TypingError):
        module.first_target((moves.indptr, moves.indices))
    table = reverse._replace(indptr=np.zeros((4, 4), np.int64))
    with pytest.raises((TypingError, ValueError)):
        module.list_busy(moves, table, queue)
    with pytest.raises(TypeError, match="expected 3 arguments, got 2"):
        module.list_busy(moves, reverse)


@pytest.mark.compiled
def test_two_classes_of_records_with_the_same_fields(probe, monkeypatch):
    """Fields of one type in another order, and two classes of one name, never share code."""
    pair = np.array([1, 7]), np.array([1, 6])
    for again in (False, True):
        module, other = probe(), probe()
        if again:
            monkeypatch.setattr(jit, "object_code", no_compiler)
        other.Turned.__name__ = "Moves"
        assert module.first_target(module.Moves(*pair)) == 6
        assert module.first_target(other.Turned(*pair)) == 7
        assert module.first_target(module.Turned(*pair)) == 7
        assert module.first_turned(module.Moves(*pair)) == 6
    assert len(probe.files()) == 3


@pytest.mark.compiled
def test_names_of_fields_are_part_of_the_key(probe):
    keys = []
    turned = "    indices: object\n    indptr: object"
    for order in (turned, "    indptr: object\n    indices: object"):
        probe.source.write_text(SOURCE.replace(turned, order))
        module = probe()
        keys.append(module.first_turned._key("i"))
    assert keys[0] != keys[1]


@pytest.mark.compiled
def test_a_part_is_compiled_into_its_caller(probe):
    plain = probe()
    text = SOURCE.replace("@kernel\ndef degree", "@part\ndef degree")
    probe.source.write_text(text.replace("import kernel", "import kernel, part"))
    module = probe()
    assert (plain.degree.inlined, module.degree.inlined) == (False, True)
    assert module.list_busy(*records(module)) == 1
    assert module.degree(records(module)[0], 0) == 1
    assert module.list_busy.fingerprint() != plain.list_busy.fingerprint()


RECORD_SCRIPT = """
import sys, types, numpy as np
from pathlib import Path
module = types.ModuleType("zermelo._kernels.probe")
sys.modules[module.__name__] = module
exec(compile(Path(sys.argv[1]).read_text(), sys.argv[1], "exec"), module.__dict__)
ends, targets = np.array([0, 1, 2]), np.array([1, 0], np.int32)
moves, queue = module.Moves(ends, targets), module.Queue(np.zeros(2, np.int32), 0, False)
busy = module.list_busy(moves, module.Moves(np.array([0, 0, 0]), targets), queue)
print(busy, queue.items.tolist(), "numba" in sys.modules)
"""


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.unchecked
def test_a_second_process_needs_no_compiler_for_records(probe):
    command = [sys.executable, "-c", RECORD_SCRIPT, str(probe.source)]
    runs = [subprocess.run(command, capture_output=True, text=True, check=True) for _ in range(2)]
    assert [run.stdout.strip() for run in runs] == ["2 [0, 1] True", "2 [0, 1] False"]


@pytest.mark.compiled
@pytest.mark.parametrize("harm", ["flip", "cut", "empty", "other", "list"])
def test_a_damaged_file_is_not_run(probe, harm):
    assert probe().length(np.arange(7)) == 7
    [file] = probe.files()
    data = file.read_bytes()
    harmed = {
        "flip": data[:-20] + bytes([data[-20] ^ 1]) + data[-19:],
        "cut": data[: len(data) // 2],
        "empty": b"",
        "other": data.replace(b'"[i8]"', b'"[i4]"', 1),
        "list": data.partition(b"\n")[0] + b"\n[]\n" + data.split(b"\n", 2)[2],
    }[harm]
    assert harmed != data
    file.write_bytes(harmed)
    key = probe().length._key("[i8]")
    assert store.read(file, key, "[i8]") is None
    assert probe().length(np.arange(8)) == 8
    assert store.read(file, key, "[i8]") is not None  # made anew


@pytest.mark.compiled
def test_an_edit_makes_another_file(probe):
    assert probe().length(np.arange(7)) == 7
    probe.source.write_text(SOURCE.replace("return len(values)", "return len(values) + 1"))
    assert probe().length(np.arange(7)) == 8
    assert len(probe.files()) == 2


@pytest.mark.compiled
def test_two_threads_load_one_kernel_once(probe, monkeypatch):
    probe().length(np.arange(3))
    links = []
    link = jit.link
    monkeypatch.setattr(jit, "link", lambda *a: links.append(a) or link(*a))
    module = probe()
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda n: module.length(np.arange(n)), range(40)))
    assert found == list(range(40))
    assert len(links) == 1


@pytest.mark.compiled
def test_a_failure_in_a_kernel_is_an_error(probe):
    probe.source.write_text(SOURCE + "\n@kernel\ndef quotient(a, b):\n    return a // b\n")
    module = probe()
    assert module.quotient(7, 2) == 3
    with pytest.raises((RuntimeError, ZeroDivisionError)):
        module.quotient(7, 0)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.unchecked
def test_a_second_process_needs_no_compiler(tmp_path, monkeypatch):
    code = (
        "import sys, numpy as np, zermelo as zm\n"
        "v = np.arange(100_000)\n"
        "zm.solve(zm.Graph.from_arrays(v[:-1], v[1:], v.size)).move\n"
        "print('numba' in sys.modules)"
    )
    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("ZERMELO_KERNELS", "auto")
    for name in ("NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK"):
        monkeypatch.delenv(name, raising=False)
    runs = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        for _ in range(2)
    ]
    assert [run.stdout.strip() for run in runs] == ["True", "False"]


@pytest.mark.compiled
def test_what_is_kept_is_what_was_imported(probe):
    """A file that is edited between import and first call does not give its name to old code."""
    module = probe()
    probe.source.write_text(SOURCE.replace("return len(values)", "return len(values) + 1"))
    assert module.length(np.arange(7)) == 7
    assert probe().length(np.arange(7)) == 8


@pytest.mark.compiled
def test_what_a_kernel_reads_is_part_of_its_key(probe):
    probe.source.write_text(SOURCE + "\nSTEP = 1\n@kernel\ndef step(a):\n    return a + STEP\n")
    keys = set()
    for step in (1, 2, True, np.int8(1)):
        module = probe()
        module.STEP = step
        keys.add(module.step._key("i"))
    assert len(keys) == 4
    total = probe().total._key("[i8]i(ii)b[i8]")
    probe.source.write_text(SOURCE.replace("return a + by", "return a - by"))
    assert probe().total._key("[i8]i(ii)b[i8]") != total  # shifted, which it calls


@pytest.mark.compiled
def test_a_part_is_in_its_place(probe):
    """A part asks for its machine code to be put into its callers'; the answers are the same."""
    text = """
from zermelo._runtime.compiled.jit import part

@DECORATOR
def add_up(values, start, stop):
    total = 0
    for i in range(start, stop):
        total += values[i] * values[i]
    return total

@kernel
def two_sums(values, out):
    half = len(values) // 2
    out[0], out[1] = add_up(values, 0, half), add_up(values, half, len(values))
"""
    keys = set()
    for decorator in ("kernel", "part"):
        probe.source.write_text(SOURCE + text.replace("DECORATOR", decorator))
        module, out = probe(), np.zeros(2, np.int64)
        module.two_sums(np.arange(10), out)
        assert out.tolist() == [30, 255]
        keys.add(module.two_sums._key("[i8][i8]"))
        wanted = module.add_up.inner.targetoptions.get("forceinline", False)
        assert wanted == (decorator == "part")
    assert len(keys) == 2


def take_away(monkeypatch, missing):
    """Make this process one in which something that is not Numba's public face has gone."""
    if missing == "emit_object":
        from llvmlite.binding import TargetMachine

        monkeypatch.delattr(TargetMachine, missing)
    elif missing == "no_cpython_wrapper":
        from numba.core.registry import cpu_target

        parse = cpu_target.options.parse_as_flags

        def strict(flags, given):
            if missing in given:
                raise KeyError(f"Unrecognized options: {missing}")
            return parse(flags, given)

        monkeypatch.setattr(cpu_target.options, "parse_as_flags", strict)
    else:

        def gone(*args):
            raise AttributeError(f"llvmlite has no {missing}")

        monkeypatch.setattr(jit, missing, gone)


@pytest.mark.slow("emit_object", "link")
@pytest.mark.compiled
@pytest.mark.parametrize("missing", ["emit_object", "no_cpython_wrapper", "link", "machine"])
def test_without_private_functions_numba_alone_does_it(probe, monkeypatch, missing):
    monkeypatch.setattr(jit._Process, "private", True)
    monkeypatch.setattr(store, "_warnings_given", set())
    take_away(monkeypatch, missing)
    module, out = probe(), np.zeros(1, np.int64)
    with pytest.warns(RuntimeWarning, match="this version of Numba or llvmlite lacks") as given:
        module.total(np.arange(4), 5, (10, 20), True, out)
    assert len(given) == 1
    assert out[0] == 11
    assert module.length(out) == 1  # and there is no second warning
    assert module.two(3, 4) == (3, 4)
