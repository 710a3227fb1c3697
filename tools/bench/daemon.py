"""What beacond costs: at rest, under load beside c_listener.c, and with many beacons. See tools/bench/daemon --help."""

from __future__ import annotations

import argparse
import contextlib
import pathlib
import random
import shutil
import socket
import sqlite3
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from dataclasses import dataclass

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "load"))
import daemon
import radio
from process import Process
from results import Result, write_results


@dataclass(frozen=True)
class Limits:
    """The highest values that are accepted."""

    rest_wakeups: float = 3
    rest_dirty: float = 4
    rest_resident: float = 36
    load_ratio: float = 0.6
    load_wakeups: float = 40
    crowd_dirty: float = 16


class Stream(radio.Radio):
    """A controller that sends `rate` reports of `beacons` beacons a second, each in a write of its own, evenly, and the
    same to every connection. It begins with `begin`; until then, and with a rate of 0, it only answers commands."""

    def __init__(self, folder: str, rate: int = 0, beacons: int = 0):
        draw = random.Random(2)
        self.beacons = [
            (bytes((n & 255, n >> 8, 0, 0, 0, 0xC0)), radio.UUID + struct.pack(">HH", 1 + (n >> 8), n & 255),
             -50 - draw.randrange(40))
            for n in range(beacons)
        ]
        super().__init__(folder, rate=rate)

    @property
    def path(self) -> str:
        return self.source.removeprefix("h4:unix:")

    def accepted(self, _connection: socket.socket) -> None:
        """All connections get the same, from one thread."""

    def begin(self) -> None:
        if self.rate:
            threading.Thread(target=self.send, args=(None,), daemon=True).start()

    def send(self, _connection) -> None:
        next_time = time.monotonic()
        sent = 0
        while not self.is_over:
            address, identity, level = self.beacons[sent % len(self.beacons)]
            packet = radio.report(address, identity, level + self.random.randint(-3, 3))
            for connection in list(self.connections):
                # A connection that has ended is taken out of the list by `answer`.
                with contextlib.suppress(OSError):
                    connection.sendall(packet)
            sent += 1
            next_time += 1 / self.rate
            time.sleep(max(0, next_time - time.monotonic()))

    def close(self) -> None:
        super().close()
        self.hang_up()


def remember(stream: Stream, history: str) -> None:
    """Makes the beacons known to the history, as those of a site are. It has little room for others."""
    rows = []
    for _, identity, _ in stream.beacons:
        major, minor = struct.unpack(">HH", identity[16:])
        rows.append((str(uuid.UUID(bytes=identity[:16])), major, minor))
    with contextlib.closing(sqlite3.connect(history)) as database, database:
        database.executemany(
            "INSERT INTO beacon (uuid, major, minor, last_start, standing) VALUES (?, ?, ?, 0, 2)", rows)


class Bench:
    def __init__(self, beacond: pathlib.Path, listener: pathlib.Path, seconds: int):
        self.beacond, self.listener, self.seconds = beacond, listener, seconds
        self.results: list[Result] = []

    def note(self, what: str, value: float, unit: str, limit: float | None = None, detail: str = "") -> None:
        result = Result(what, value, unit, limit, detail)
        self.results.append(result)
        print(f"  {'ok  ' if result.is_met else 'FAIL'}  {result.text}", flush=True)

    def start(self, folder: str, stream: Stream) -> daemon.Daemon:
        # Without a bus on the machine, the daemon would look for it again and again.
        return daemon.Daemon(str(self.beacond), folder, stream.source, {"dbus": {"enabled": False}})

    def run(self, rate: int, beacons: int, settle: int, body) -> None:
        folder = tempfile.mkdtemp(prefix="beacond-bench-")
        stream = Stream(folder, rate, beacons)
        try:
            if beacons:
                self.start(folder, stream).stop()
                remember(stream, f"{folder}/state/history.sqlite")
            running = self.start(folder, stream)
            try:
                body(stream, running, settle)
            finally:
                running.stop()
        finally:
            stream.close()
            shutil.rmtree(folder, ignore_errors=True)

    def rest(self, _stream: Stream, running: daemon.Daemon, settle: int) -> None:
        time.sleep(settle)
        process = Process(running.process.pid)
        # The history is written once a minute, by threads that stay for five seconds.
        threads = []
        for _ in range(60):
            time.sleep(1)
            threads.append(process.threads())
        detail = "a controller that answers, and receives nothing; 60 s"
        self.note("wake-ups at rest", process.wakeup_rate(), "/s", Limits.rest_wakeups, detail)
        self.note("CPU at rest", 100 * process.cpu_share(), "%", detail=detail)
        self.note("private dirty at rest", process.private_dirty(), "MiB", Limits.rest_dirty)
        self.note("resident at rest", process.resident(), "MiB", Limits.rest_resident)
        detail = f"median of {len(threads)}, at most {max(threads)}"
        self.note("threads at rest", statistics.median(threads), "", detail=detail)

    def load(self, stream: Stream, running: daemon.Daemon, settle: int) -> None:
        reference = subprocess.Popen([self.listener, stream.path], stdout=subprocess.PIPE)
        while len(stream.connections) < 2:
            time.sleep(0.01)
        stream.begin()
        time.sleep(settle)
        process, naive = Process(running.process.pid), Process(reference.pid)
        before = running.metrics()["beacond_source_ibeacons_total"]
        time.sleep(self.seconds)
        rate = (running.metrics()["beacond_source_ibeacons_total"] - before) / process.seconds()
        share, wakeups, naive_share = process.cpu_share(), process.wakeup_rate(), naive.cpu_share()
        detail = f"{rate:.0f} reports/s of {len(stream.beacons)} beacons; {self.seconds} s"
        self.note("CPU under load beside a naive listener in C", share / naive_share, "times", Limits.load_ratio,
                  f"{100 * share:.2f} % and {100 * naive_share:.2f} % of a core; {detail}")
        self.note("wake-ups under load", wakeups, "/s", Limits.load_wakeups,
                  f"{naive.wakeup_rate():.0f}/s of the listener in C; {detail}")
        self.note("private dirty under load", process.private_dirty(), "MiB")
        self.note("threads under load", process.threads(), "")
        stream.close()
        reference.communicate(timeout=10)

    def crowd(self, stream: Stream, running: daemon.Daemon, settle: int) -> None:
        stream.begin()
        time.sleep(settle)
        process = Process(running.process.pid)
        # Over the end of an interval of the history, which lasts a minute.
        most, end = 0.0, time.monotonic() + max(75, self.seconds)
        while time.monotonic() < end:
            most = max(most, process.private_dirty())
            time.sleep(0.5)
        share = process.cpu_share()
        metrics = running.metrics()
        detail = f"{metrics['beacond_beacons_present']:.0f} beacons present, {stream.rate} reports/s"
        self.note("private dirty with 10 000 beacons", most, "MiB", Limits.crowd_dirty, detail)
        self.note("resident with 10 000 beacons", process.resident(), "MiB")
        self.note("CPU with 10 000 beacons", 100 * share, "%", detail=detail)
        mean = metrics["beacond_ranging_tick_duration_seconds_sum"] / metrics["beacond_ranging_tick_duration_seconds_count"]
        self.note("one ranking of 10 000 beacons, mean", 1000 * mean, "ms")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--beacond", type=pathlib.Path, required=True)
    parser.add_argument("--listener", type=pathlib.Path, required=True)
    parser.add_argument("--json", type=pathlib.Path, required=True)
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("loads", nargs="*")
    arguments = parser.parse_args()
    bench = Bench(arguments.beacond, arguments.listener, arguments.seconds)
    for name in arguments.loads or ["rest", "load", "crowd"]:
        if name == "rest":
            bench.run(0, 0, 10, bench.rest)
        elif name == "load":
            bench.run(1000, 200, 10, bench.load)
        else:
            bench.run(2000, 10_000, 12, bench.crowd)
    write_results(arguments.json, bench.results)
    sys.exit(0 if all(result.is_met for result in bench.results) else 1)


if __name__ == "__main__":
    main()
