"""The pool of worker processes: whatever a request does, others are answered, and nothing stays."""

import asyncio
import json
import os
import time
from contextlib import asynccontextmanager

import pytest
from tests.limits import HANG
from tests.web import trouble
from tests.web.processes import exists, run_apart

from zermelo.web.api import endpoints
from zermelo.web.server import frames
from zermelo.web.server import pool as pools
from zermelo.web.settings import Limits, Settings


@pytest.fixture(autouse=True)
def _trouble():
    trouble.install()
    yield
    trouble.remove()


@asynccontextmanager
async def running(workers=1, **limits):
    pool = pools.Pool(Settings(workers=workers, limits=Limits(**limits)))
    try:
        yield pool
    finally:
        await pool.close()


def row(name):
    return next(x for x in endpoints.ENDPOINTS if x.path in (f"/trouble/{name}", f"/{name}"))


async def ask(pool, name, request=None, key=None, tell=lambda _: None):
    outcome = await pool.ask(row(name), json.dumps(request or {}).encode(), key, tell)
    found = json.loads(outcome.body)
    return found["error"] if outcome.error else found.get("done", found)


async def until(condition):
    """Wait until a condition holds; the test runner's own limit ends a wait without end."""
    while not condition():
        await asyncio.sleep(0.01)


def go(test):
    run_apart(asyncio.wait_for(test(), HANG))


@pytest.mark.slow
def test_an_answer_and_its_worker_stays():
    async def test():
        async with running() as pool:
            first = await ask(pool, "remember")
            assert await ask(pool, "remember") == [first[0], 2]
            assert (await ask(pool, "about"))["name"] == "zermelo"
            assert pool.busy() == 0
        assert not exists(first[0])

    go(test)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("crash", "the worker process ended in the midst of this request (status 3)"),
        ("signalled", "(status -11)"),
        ("leave", "a fault of ours, SystemExit"),
        ("fail", "a fault of ours, KeyError"),
    ],
)
def test_requests_that_end_badly(name, message, capfd):
    async def test():
        async with running() as pool:
            error = await ask(pool, name)
            assert message in error["message"]
            assert "/a/path" not in error["message"]
            assert await ask(pool, "remember")

    go(test)


@pytest.mark.slow
@pytest.mark.parametrize("x", ["nan", "numpy"])
def test_answers_that_are_no_json_are_faults(x, capfd):
    async def test():
        async with running() as pool:
            pid, _ = await ask(pool, "remember")
            error = await ask(pool, "odd", {"x": x})
            assert error["kind"] == "fault"
            assert await ask(pool, "remember") == [pid, 2]

    go(test)
    assert "a fault of ours in POST /trouble/odd" in capfd.readouterr().err


@pytest.mark.slow
def test_half_characters_are_replaced():
    async def test():
        async with running() as pool:
            assert await ask(pool, "odd", {"x": "half"}) == "?"

    go(test)


@pytest.mark.slow
def test_large_answers():
    async def test():
        async with running() as pool:
            assert len(await ask(pool, "huge", {"size": 20_000_000})) == 20_000_000
            error = await ask(pool, "huge", {"size": frames.LONGEST})
            assert error["kind"] == "limit"
            assert "the answer has more than" in error["message"]

    go(test)


@pytest.mark.slow("memory")
@pytest.mark.parametrize("name", ["memory", "arrays"])
def test_memory_is_bounded(name):
    async def test():
        async with running(memory=1 << 30) as pool:
            pid, _ = await ask(pool, "remember")
            error = await ask(pool, name, {"size": 2 << 30})
            assert error["kind"] == "limit"
            assert "memory" in error["message"]
            assert await ask(pool, name, {"size": 8 << 20})
            assert await ask(pool, "remember") == [pid, 2]

    go(test)


@pytest.mark.slow
def test_what_rules_print_mixes_with_nothing(capfd):
    async def test():
        async with running() as pool:
            assert await ask(pool, "chatter") == ""
            assert await ask(pool, "remember")

    go(test)
    assert capfd.readouterr().err == "rules print this\nand this\n"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["steps", "stubborn"])
def test_the_time_of_a_request(name):
    async def test():
        async with running(seconds=1) as pool:
            pid, _ = await ask(pool, "remember")
            error = await ask(pool, name)
            assert error == {"kind": "limit", "message": "the work was stopped after 1 seconds"}
            await until(lambda: pool.busy() == 0)
            assert ((await ask(pool, "remember"))[0] == pid) == (name == "steps")
            assert exists(pid) == (name == "steps")

    go(test)


def test_the_time_of_waiting():
    async def test():
        async with running(seconds=0.3) as pool:
            pool.workers[0].job = object()  # it is at work for ever
            pool.workers[0].runner = asyncio.ensure_future(asyncio.sleep(1000))
            error = await ask(pool, "remember")
            assert error["kind"] == "busy"
            assert error["message"].startswith("all workers were busy for 0.3 seconds")
            assert pool.busy() == 1
            pool.workers[0].job = None

    go(test)


@pytest.mark.slow("stubborn")
@pytest.mark.parametrize("name", ["steps", "stubborn"])
def test_a_client_that_goes_leaves_no_work(name):
    async def test():
        async with running() as pool:
            pid, _ = await ask(pool, "remember")
            asked = asyncio.ensure_future(ask(pool, name))
            await asyncio.sleep(0.2)
            assert pool.busy() == 1
            asked.cancel()
            asked.cancel()
            await until(lambda: pool.busy() == 0)
            assert asked.cancelled()
            if name == "steps":  # it has obeyed, and remembers
                assert await ask(pool, "remember") == [pid, 2]
            else:
                assert not exists(pid)
                assert (await ask(pool, "remember"))[1] == 1

    go(test)


def test_a_quick_request_whose_client_goes_does_not_end_its_worker():
    async def test():
        async with running() as pool:
            pid, _ = await ask(pool, "remember")
            for _ in range(20):
                asked = asyncio.ensure_future(ask(pool, "remember"))
                await asyncio.sleep(0)
                await asyncio.sleep(0)
                asked.cancel()
                await asyncio.gather(asked, return_exceptions=True)
            await until(lambda: pool.busy() == 0)
            await asyncio.sleep(pools.STOP_SECONDS + 0.2)  # the process would be ended now
            assert (await ask(pool, "remember"))[0] == pid

    go(test)


def test_clients_that_go_while_they_wait():
    async def test():
        async with running() as pool:
            first = asyncio.ensure_future(ask(pool, "steps", {"seconds": 1}))
            others = [asyncio.ensure_future(ask(pool, "remember")) for _ in range(20)]
            await asyncio.sleep(0.1)
            assert pool.busy() == 21
            for other in others:
                other.cancel()
            await asyncio.gather(*others, return_exceptions=True)
            assert pool.busy() == 1
            pid = await first
            assert await ask(pool, "remember") == [pid, 1]

    go(test)


@pytest.mark.slow
def test_clients_that_go_while_the_worker_starts():
    async def test():
        async with running() as pool:
            for wait in (0, 0.001, 0.05):
                asked = asyncio.ensure_future(ask(pool, "steps"))
                await asyncio.sleep(wait)
                asked.cancel()
            await until(lambda: pool.busy() == 0)
            assert (await ask(pool, "remember"))[1] == 1

    go(test)


@pytest.mark.slow
def test_answers_are_never_mixed_up():
    async def test():
        async with running(workers=2) as pool:

            async def one(k):
                asked = asyncio.ensure_future(ask(pool, "huge", {"size": k}))
                if k % 3 == 0:
                    await asyncio.sleep(0.001 * (k % 7))
                    asked.cancel()
                    await asyncio.gather(asked, return_exceptions=True)
                else:
                    assert await asked == "x" * k

            await asyncio.gather(*(one(k) for k in range(150)))
            await until(lambda: pool.busy() == 0)

    go(test)  # fmt: skip


@pytest.mark.slow
def test_progress_is_passed_on():
    async def test():
        async with running() as pool:
            told = []
            await ask(pool, "steps", {"seconds": 1}, tell=told.append)
            assert json.loads(told[0]) == {"done": 1, "total": 2, "stage": "steps"}

    go(test)


@pytest.mark.slow
def test_requests_with_the_same_key_go_to_the_same_worker():
    async def test():
        async with running(workers=3) as pool:
            found = await asyncio.gather(*(ask(pool, "remember", {}, key=f"{k}") for k in range(3)))
            pids = [pid for pid, _ in found]
            assert len(set(pids)) == 3
            for _ in range(2):
                again = [(await ask(pool, "remember", {}, key=f"{k}"))[0] for k in range(3)]
                assert again == pids

    go(test)


def test_a_long_queue_spills_to_an_idle_worker():
    async def test():
        async with running(workers=2) as pool:
            asked = [asyncio.ensure_future(ask(pool, "steps", key="a")) for _ in range(6)]
            await asyncio.sleep(0)
            assert sorted(worker.load() for worker in pool.workers) == [2, 4]
            for one in asked:
                one.cancel()
            await asyncio.gather(*asked, return_exceptions=True)
            await until(lambda: pool.busy() == 0)

    go(test)


def test_too_many_requests_are_refused():
    async def test():
        async with running(waiting=3) as pool:
            asked = [asyncio.ensure_future(ask(pool, "steps")) for _ in range(3)]
            await asyncio.sleep(0)
            assert (await ask(pool, "remember"))["kind"] == "busy"
            for one in asked:
                one.cancel()
            await asyncio.gather(*asked, return_exceptions=True)
            await until(lambda: pool.busy() == 0)
            assert (await ask(pool, "remember"))[1] == 1

    go(test)


@pytest.mark.parametrize(
    "program", ["import time; time.sleep(1000)", "raise SystemExit(1)", "print('x' * 100)"]
)
def test_a_worker_that_does_not_start(program, monkeypatch, capfd):
    monkeypatch.setattr(pools, "PROGRAM", program)
    monkeypatch.setattr(pools, "START_SECONDS", 0.5)

    async def test():
        async with running() as pool:
            error = await ask(pool, "about")
            assert error["kind"] == "fault"
            assert "does not start" in error["message"]
            assert pool.workers[0].process is None
            assert pool.busy() == 0

    go(test)


@pytest.mark.slow
def test_the_children_of_a_worker_end_with_it():
    async def test():
        async with running() as pool:
            told = []
            asked = asyncio.ensure_future(ask(pool, "offspring", tell=told.append))
            await until(lambda: told)
            child = json.loads(told[0])["done"]
            assert exists(child)
            asked.cancel()
            await until(lambda: not exists(child))

    go(test)


def test_closing_answers_all_requests():
    async def test():
        async with running(workers=2) as pool:
            asked = [asyncio.ensure_future(ask(pool, "stubborn")) for _ in range(6)]
            await until(lambda: all(worker.number for worker in pool.workers))
            await pool.close()
            found = await asyncio.gather(*asked)
            assert {x["message"] for x in found} == {"the server ends"}
            assert (await ask(pool, "about"))["message"] == "the server ends"
            assert all(worker.process is None for worker in pool.workers)

    go(test)


@pytest.mark.slow
def test_a_worker_that_was_ended_from_outside():
    async def test():
        async with running() as pool:
            pid, _ = await ask(pool, "remember")
            os.kill(pid, 9)
            begin = time.monotonic()
            await until(lambda: not exists(pid) or time.monotonic() - begin > 10)
            await until(lambda: pool.workers[0].process.returncode is not None)
            assert (await ask(pool, "remember"))[1] == 1

    go(test)
