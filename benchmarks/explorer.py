"""The explorer under load: clients that probe a table, and clients that go away.

    python benchmarks/explorer.py [--clients N] [--seconds N] [--game GAME | --table FILE]
                                  [--workers N] [--json FILE]

A table is built (or given), ``zermelo serve`` starts with it on a free port, and the clients ask
for random positions of the table over loopback, each on its own connection and without a pause:
the position, its picture, all moves and their values. The clients run in this process, the server
and its workers in theirs, so all share the processors of the machine. An error is an answer with
another status than 200, or none. The first requests, which compile and open, are not counted.

Afterwards all clients ask and close their connections without waiting for the answer, several
times. ``busy`` is the processor's time that the workers use in the second after that.
"""

import argparse
import asyncio
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import quote

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from tests.web.processes import children, seconds_of  # noqa: E402

API = "/api/v1"
POSITIONS = 2_000
ROUNDS = 5


class Connection:
    """One connection of a client that keeps it."""

    def __init__(self, host, port):
        self.host, self.port = host, port
        self.reader = self.writer = None

    async def send(self, path):
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection(self.host, self.port)
        head = f"GET {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\n\r\n"
        self.writer.write(head.encode())
        await self.writer.drain()

    async def get(self, path):
        """The status of an answer, and its bytes."""
        await self.send(path)
        head = await self.reader.readuntil(b"\r\n\r\n")
        length = int(re.search(rb"content-length: (\d+)", head)[1])
        return int(head.split(b" ", 2)[1]), await self.reader.readexactly(length)

    async def close(self):
        if self.writer is not None:
            self.writer.close()
            await asyncio.gather(self.writer.wait_closed(), return_exceptions=True)
            self.writer = None


async def client(place, paths, until, times, errors, seed):
    """Ask until the time is up."""
    chance, connection = random.Random(seed), Connection(*place)
    while time.monotonic() < until:
        begun = time.monotonic()
        try:
            status, body = await connection.get(chance.choice(paths))
            if status != 200:
                errors.append(f"{status}: {body[:200].decode(errors='replace')}")
        except (OSError, EOFError) as error:
            errors.append(type(error).__name__)
            await connection.close()
        times.append(time.monotonic() - begun)
    await connection.close()


async def load(place, paths, clients, seconds):
    """The seconds of all answers, and the errors, of clients that ask at the same time."""
    times, errors = [], []
    until = time.monotonic() + seconds
    await asyncio.gather(*(client(place, paths, until, times, errors, k) for k in range(clients)))
    return sorted(times), errors


async def leave(place, paths, clients):
    """Ask and go."""
    for _ in range(ROUNDS):
        connections = [Connection(*place) for _ in range(clients)]
        for k, connection in enumerate(connections):
            await connection.send(paths[k % len(paths)])
        await asyncio.gather(*(connection.close() for connection in connections))


async def paths_of(place, table):
    """The addresses of positions of the table that the server has opened."""
    import zermelo as zm

    connection = Connection(*place)
    status, body = await connection.get(f"{API}/play/games")
    if status != 200:
        raise SystemExit(f"the server does not play: {body!r}")
    game = quote(json.loads(body)["served"]["game"])
    with zm.Table(table) as opened:
        rules = opened.rules
        positions = [rules.show(x) for x in opened.sample(POSITIONS, 1)]
    paths = [f"{API}/play/position?game={game}&solve=true&at={quote(x)}" for x in positions]
    for path in paths[:20]:
        status, body = await connection.get(path)
        if status != 200:
            raise SystemExit(f"{path}: {body!r}")
    await connection.close()
    return paths


def share(times, part):
    """The time that this part of the answers does not exceed, in milliseconds."""
    return 1000 * times[min(len(times) - 1, int(part * len(times)))]


def measure(table, args):
    command = [sys.executable, "-m", "zermelo", "serve", table, "--port", "0", "--json"]
    command += ["--no-browser", *(["--workers", str(args.workers)] if args.workers else [])]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as server:
        try:
            place = "127.0.0.1", json.loads(server.stdout.readline())["port"]
            paths = asyncio.run(paths_of(place, table))
            asyncio.run(load(place, paths, args.clients, min(3, args.seconds)))
            times, errors = asyncio.run(load(place, paths, args.clients, args.seconds))
            asyncio.run(leave(place, paths, args.clients))
            time.sleep(1)
            workers = children(server.pid)
            before = sum(map(seconds_of, workers))
            time.sleep(1)
            busy = sum(map(seconds_of, workers)) - before
        finally:
            server.terminate()
    return {
        "clients": args.clients, "seconds": args.seconds, "requests": len(times),
        "errors": len(errors), "first_errors": errors[:3], "a_second": len(times) / args.seconds,
        "p50": share(times, 0.5), "p99": share(times, 0.99), "longest": share(times, 1),
        "workers": len(workers), "busy": busy,
    }  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--game", default="chess:KRvK", help="the game whose table is built")
    parser.add_argument("--table", metavar="FILE", help="a table, instead of a new one")
    parser.add_argument("--workers", type=int, help="worker processes of the server")
    parser.add_argument("--json", metavar="FILE", help="write the results here, too")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        table = args.table or f"{folder}/table.zt"
        if not args.table:
            import zermelo as zm

            zm.build(args.game, table).close()
        row = {"game": args.table or args.game, **measure(table, args)}
    print(
        f"{row['game']}: {row['clients']} clients, {row['seconds']:g} s, {row['workers']} workers: "
        f"{row['requests']:,} requests, {row['errors']} errors, {row['a_second']:.0f} a second, "
        f"p50 {row['p50']:.1f} ms, p99 {row['p99']:.1f} ms, longest {row['longest']:.1f} ms; "
        f"busy after clients went: {row['busy']:.2f} s"
    )
    for error in row["first_errors"]:
        print(f"  {error}")
    if args.json:
        Path(args.json).write_text(json.dumps(row, indent=1) + "\n")
    return 1 if row["errors"] else 0


if __name__ == "__main__":
    sys.exit(main())
