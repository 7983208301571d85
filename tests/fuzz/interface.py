"""Call the whole public interface with bad arguments, in processes of its own.

Run it as long as you like::

    python -m tests.fuzz.interface --seconds 60 --seed 1

A call answers or raises a :class:`~zermelo.errors.ZermeloError`, in bounded time; a ``TypeError``
may come from Python itself, when a call has the wrong parameters. All else is a finding: another
exception, a call that takes too long, a process that dies. A finding is printed with its case, and
``--case`` runs one again.
"""

import argparse
import contextlib
import dataclasses
import inspect
import itertools
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SECONDS_A_CALL = 20
"""Of the processor, so that a busy machine makes no findings."""
SILENCE = 300
"""Seconds without a new case after which a process is ended: it hangs or waits."""
ADDRESSES = 12 << 30
FILES = {"draw", "build", "Table", "read", "write", "read_plant", "read_solution", "solve_shards",
         "Shards", "ShardedSolution", "plan"}  # fmt: skip
"""Calls that open files: an OSError is theirs to raise."""


VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


class TooLong(BaseException):
    """A call that did not come back in time."""


# -------------------------------------------------------------------- one case


def make_case(seed, k, only=None):
    """Case number k: its name, and a function that makes the call."""
    from tests.fuzz.examples import calls, records
    from tests.fuzz.mangle import changed

    rng = random.Random(f"{seed}:{k}")
    names = [("call", name) for name in calls()] + [("record", name) for name in records()]
    if only:
        names = [x for x in names if only in x[1]]
    kind, name = rng.choice(names)
    if kind == "record":
        return record_case(rng, name, records()[name])
    function, args, options = calls()[name]
    args, options = list(args), dict(options)
    for _ in range(rng.choice((1, 1, 1, 2))):
        places = [*range(len(args)), *options]
        if not places:
            args.append(changed(rng, None))
            break
        at = rng.choice(places)
        (args if isinstance(at, int) else options).__setitem__(
            at, changed(rng, args[at] if isinstance(at, int) else options[at])
        )
    return f"{name} {describe(args)} {describe(options)}", lambda: function(*args, **options), rng


def record_case(rng, name, record):
    """A record with one field replaced, or one of its methods called."""
    from tests.fuzz.mangle import changed, nasty

    fields = [x.name for x in dataclasses.fields(record) if x.init] if is_record(record) else []
    if fields and rng.random() < 0.6:
        field = rng.choice(fields)
        new = changed(rng, getattr(record, field))
        text = f"replace {name} {field}={describe(new)}"
        return text, lambda: dataclasses.replace(record, **{field: new}), rng
    methods = [x for x in public(record) if callable(getattr(type(record), x, None))]
    methods += [x for x in ("__getitem__", "__contains__", "__add__") if hasattr(record, x)]
    if not methods:
        return f"{name} as it is", lambda: record, rng
    method = rng.choice(methods)
    call = getattr(record, method)
    try:
        wanted = inspect.signature(call).parameters.values()
    except ValueError:
        wanted = []
    count = sum(
        x.kind in (x.POSITIONAL_ONLY, x.POSITIONAL_OR_KEYWORD)
        and (x.default is x.empty or rng.random() < 0.5)
        for x in wanted
    )
    args = [rng.choice([0, 1, "a", 3]) if rng.random() < 0.3 else nasty(rng) for _ in range(count)]
    return f"{name}.{method} {describe(args)}", lambda: call(*args), rng


def is_record(x):
    return dataclasses.is_dataclass(x) and not isinstance(x, type)


def public(x):
    return [name for name in dir(type(x)) if not name.startswith("_")]


def describe(x):
    try:
        text = repr(x)
    except BaseException as error:
        text = f"<{type(error).__name__}>"
    return text[:300].encode("ascii", "backslashreplace").decode()


READERS = ("parse", "from_text")
"""Members of rules that are given texts."""

OF_POSITIONS = ("moves", "outcome", "options", "show", "draw", "canonical", "components", "player")
"""Members of rules that are given positions."""


def touch(result, rng):
    """Look at all that an answer has, as a caller would."""
    from tests.fuzz.mangle import nasty
    from zermelo.rules.base import Rules

    if not type(result).__module__.startswith("zermelo"):
        if inspect.isgenerator(result) or type(result).__name__.endswith("iterator"):
            list(itertools.islice(result, 50))
        return
    if isinstance(result, list | tuple) or hasattr(result, "comm"):
        return  # the methods of a widget are those of another package
    for look in (repr, str, hash, bool):
        with contextlib.suppress(TypeError):
            look(result)
    for name in public(result):
        if name in ("to_pandas", "save", "close", "period", "sparse"):
            continue
        if not callable(getattr(type(result), name, None)):
            getattr(result, name)
            continue
        method = getattr(result, name)
        try:
            wanted = inspect.signature(method).parameters.values()
        except ValueError:
            continue
        needed = [
            x
            for x in wanted
            if x.default is x.empty and x.kind not in (x.VAR_POSITIONAL, x.VAR_KEYWORD)
        ]
        if not needed:
            attempt(method, ())
        elif len(needed) == 1:
            for argument in (rng.choice([0, 1, "a", 5]), nasty(rng)):
                if isinstance(result, Rules):
                    if name not in (*READERS, *OF_POSITIONS):
                        continue
                    # Members of rules get positions and texts of the game. Positions from
                    # elsewhere go through zm.explore, zm.Table and the command, which check them.
                    argument = describe(argument) if name in READERS else result.start()
                attempt(method, (argument,))


def attempt(method, args):
    """A call that may refuse."""
    from zermelo.errors import ZermeloError

    with contextlib.suppress(ZermeloError):
        method(*args)


def judge(error, name):
    """Whether an exception may come out of a call."""
    from zermelo.errors import ZermeloError

    if isinstance(error, ZermeloError):
        return True
    if name.split()[0].split(".")[0] in FILES:
        path = isinstance(error, TypeError) and "os.PathLike" in str(error)
        if path or isinstance(error, OSError | UnicodeError) or "embedded null" in str(error):
            return True
    here = error.__traceback__
    frames = []
    while here is not None:
        frames.append(here.tb_frame.f_code.co_filename)
        here = here.tb_next
    return isinstance(error, TypeError) and os.path.dirname(frames[-1]) == os.path.dirname(__file__)


# -------------------------------------------------------------------- a process of its own


def work(seed, first, last, log, only):
    """Run cases in this process, writing to a log before each what it is."""

    def too_long(*_):
        raise TooLong

    signal.signal(signal.SIGPROF, too_long)
    limit_memory()
    for k in range(first, last):
        name, call, rng = make_case(seed, k, only)
        write(log, {"case": k, "name": name})
        signal.setitimer(signal.ITIMER_PROF, SECONDS_A_CALL)
        try:
            touch(call(), rng)
        except TooLong:
            write(log, {"case": k, "name": name, "finding": "takes too long", "where": where()})
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:
            if not judge(error, name):
                said = f"{type(error).__name__}: {describe(str(error))}"
                write(log, {"case": k, "name": name, "finding": said, "where": where()})
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)


def limit_memory():
    import resource

    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))


def where():
    """The last lines of the traceback that are ours."""
    import traceback

    frames = traceback.extract_tb(sys.exc_info()[2])
    ours = [f"{Path(x.filename).name}:{x.lineno}" for x in frames if "zermelo" in x.filename]
    return " > ".join(ours[-4:])


def write(log, entry):
    with open(log, "a", encoding="ascii") as file:
        file.write(json.dumps(entry) + "\n")


def run(seed=0, cases=200, seconds=None, only=None, kernels="compile", jobs=500, tell=None):
    """Run cases in processes of their own until they are done, or time is up; the findings."""
    findings, k, until = [], 0, None if seconds is None else time.monotonic() + seconds
    while k < cases and (until is None or time.monotonic() < until):
        last = min(cases, k + jobs)
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "log")
            status = _process(folder, log, seed, k, last, only, kernels)
            entries = [json.loads(line) for line in Path(log).read_text("ascii").splitlines()] \
                if os.path.exists(log) else []  # fmt: skip
        found = [x for x in entries if "finding" in x]
        if status != 0:
            if not entries:
                raise RuntimeError(f"cases {k} to {last} did not begin: status {status}")
            found.append({**entries[-1], "finding": f"the process ended with {status}"})
        k = last if status == 0 else entries[-1]["case"] + 1
        findings += found
        for x in found if tell else ():
            tell(f"case {x['case']}: {x['name']}\n    {x['finding']} at {x.get('where', '?')}")
    return findings


def _process(folder, log, seed, first, last, only, kernels):
    """One process; its exit status."""
    command = [sys.executable, "-m", "tests.fuzz.interface", "--work", log, "--seed", str(seed)]
    command += ["--first", str(first), "--last", str(last), "--only", only or ""]
    root = str(Path(__file__).parents[2])
    environment = {**os.environ, "ZERMELO_KERNELS": kernels, "ZERMELO_MEMORY": "256M"}
    environment["PYTHONPATH"] = os.pathsep.join([root, os.environ.get("PYTHONPATH", "")])
    with subprocess.Popen(
        command, cwd=folder, env=environment,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        size = -1
        while True:
            try:
                _, error = process.communicate(timeout=SILENCE)
            except subprocess.TimeoutExpired:
                now = os.path.getsize(log) if os.path.exists(log) else 0
                if now > size:
                    size = now
                    continue
                process.kill()
                process.communicate()
                return f"nothing new for {SILENCE} seconds"
            if process.returncode not in (0, None):
                tail = error.decode(errors="replace").strip().splitlines()[-1:]
                return f"{process.returncode} {' '.join(tail)}"
            return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--kernels", default="compile")
    parser.add_argument("--case", type=int)
    for name in ("--work", "--first", "--last"):
        parser.add_argument(name, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.work:
        return work(given.seed, int(given.first), int(given.last), given.work, given.only)
    if given.case is not None:
        name, call, rng = make_case(given.seed, given.case, given.only)
        print(name)
        return touch(call(), rng)
    findings = run(given.seed, 10**9, given.seconds, given.only, given.kernels, tell=print)
    print(f"{len(findings)} findings")
    return bool(findings)


if __name__ == "__main__":
    sys.exit(main())
