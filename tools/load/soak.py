"""Runs the daemon for long while everything around it comes and goes. Started by tools/soak."""
from __future__ import annotations

import argparse
import csv
import hashlib
import http.client
import http.server
import json
import pathlib
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import uuid

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "bench"))
import daemon
import radio
from results import Result, write_results

BEACONS, RATE = 200, 5
#: Seconds of a cycle, of what is sampled, and cycles before everything is as large as it gets.
CYCLE, PERIOD, WARM = 120, 2, 6
#: The second of a cycle at which each action happens.
PLAN = {
    5: "flood", 15: "calm", 20: "site away", 35: "site back", 40: "broker away", 55: "broker back", 60: "clients",
    80: "no clients", 85: "clock forward", 95: "clock back", 100: "radio away", 104: "radio back", 110: "half",
    116: "all",
}
#: Growth over a whole run below which nothing is reported. MiB, descriptors, threads.
FLOOR = {"memory": 0.5, "descriptors": 1, "threads": 1}
LONGEST_PAUSE = 1.0


class Site:
    """A content site that can be away. All its beacons have an empty page."""

    MANIFEST = json.dumps({"format": 1, "beacon": None, "images": []}).encode()

    def __init__(self, port: int) -> None:
        self.port, self.server = port, None
        entries = [
            {"uuid": str(uuid.UUID(bytes=radio.UUID)), "major": 1, "minor": n, "name": f"Beacon {n}",
             "manifest": f"m/{n}.json", "sha256": hashlib.sha256(self.MANIFEST).hexdigest()}
            for n in range(BEACONS)
        ]
        self.list = json.dumps({"format": 1, "revision": 1, "uncategorized": None, "beacons": entries}).encode()

    def begin(self) -> None:
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                body = site.list if self.path == "/v1/site.json" else site.MANIFEST if "/m/" in self.path else None
                self.send_response(404 if body is None else 200)
                self.send_header("Content-Length", str(len(body or b"")))
                self.end_headers()
                self.wfile.write(body or b"")

            def log_message(self, *_: object) -> None:
                pass

        class Server(http.server.ThreadingHTTPServer):
            allow_reuse_address = True

            def process_request(self, request: socket.socket, address: object) -> None:
                site.connections.append(request)
                super().process_request(request, address)

        self.connections: list[socket.socket] = []
        self.server = Server(("127.0.0.1", self.port), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def end(self) -> None:
        if self.server:
            self.server.shutdown()
            self.server.server_close()
            self.server = None
            # A connection that is kept open would still be answered.
            for connection in self.connections:
                try:
                    connection.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass  # It has ended before.


class Broker:
    """A mosquitto that can be away."""

    def __init__(self, program: str, folder: pathlib.Path, port: int) -> None:
        self.program, self.process = program, None
        self.configuration = folder / "mosquitto.conf"
        self.configuration.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\n")

    def begin(self) -> None:
        self.process = subprocess.Popen(
            [self.program, "-c", str(self.configuration)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def end(self) -> None:
        if self.process:
            self.process.terminate()
            self.process.wait()
            self.process = None


class Clients:
    """Thirty-two that ask for everything, follow events for a moment, or hang up in the middle."""

    # Ten minutes of history are complete long before the cycles that count begin, or the report itself would grow.
    PATHS = ["/v1/ranking", "/v1/history?since=10m&format=html", "/v1/status", "/metrics", "/v1/events", "/"]

    def __init__(self, running: daemon.Daemon) -> None:
        self.running, self.threads, self.answered = running, [], 0
        self.is_over = threading.Event()

    def begin(self) -> None:
        self.is_over.clear()
        self.threads = [threading.Thread(target=self.work, args=(number,), daemon=True) for number in range(32)]
        for thread in self.threads:
            thread.start()

    def work(self, number: int) -> None:
        while not self.is_over.is_set():
            path = self.PATHS[number % len(self.PATHS)]
            number += 1
            connection = daemon.Unix(self.running.socket)
            connection.timeout = 5
            try:
                connection.request("GET", path)
                answer = connection.getresponse()
                # Every third one disconnects in the middle, and no one reads events to the end.
                answer.read(1000 if number % 3 == 0 or path == "/v1/events" else None)
                self.answered += 1
            except (OSError, http.client.HTTPException):
                pass
            finally:
                connection.close()
            self.is_over.wait(0.05)

    def end(self) -> None:
        self.is_over.set()
        for thread in self.threads:
            thread.join(15)
        self.threads = []


class Soak:
    def __init__(self, options: argparse.Namespace, folder: pathlib.Path) -> None:
        self.options = options
        self.radio = radio.Radio(str(folder), genuine=BEACONS, rate=RATE)
        self.clock = folder / "clock"
        self.clock.write_text("+0")
        self.site = Site(daemon.free_port())
        broker_port = daemon.free_port()
        self.broker = Broker(options.mosquitto, folder, broker_port)
        self.site.begin()
        self.broker.begin()
        settings = {
            "content": {"base_url": f"http://127.0.0.1:{self.site.port}", "sync_interval_s": 10},
            "mqtt": {"url": f"mqtt://127.0.0.1:{broker_port}"},
            "history": {"enabled": True, "interval_s": 10, "maximum_bytes": 16_777_216},
        }
        self.running = daemon.Daemon(options.beacond, str(folder), self.radio.source, settings, environment={
            "LD_PRELOAD": options.faketime, "FAKETIME_TIMESTAMP_FILE": str(self.clock), "DONT_FAKE_MONOTONIC": "1",
            "FAKETIME_CACHE_DURATION": "1",
        })
        self.clients = Clients(self.running)
        self.samples: list[dict[str, float]] = []

    def happen(self, what: str) -> None:
        actions = {
            "flood": lambda: setattr(self.radio, "forged_per_second", 1000),
            "calm": lambda: setattr(self.radio, "forged_per_second", 0),
            "site away": self.site.end, "site back": self.site.begin,
            "broker away": self.broker.end, "broker back": self.broker.begin,
            "clients": self.clients.begin, "no clients": self.clients.end,
            "clock forward": lambda: self.clock.write_text("+3600"), "clock back": lambda: self.clock.write_text("+0"),
            "radio away": self.radio.hang_up, "radio back": self.radio.answer_again,
            "half": lambda: setattr(self.radio, "present", range(BEACONS // 2)),
            "all": lambda: setattr(self.radio, "present", range(BEACONS)),
        }
        actions[what]()

    def sample(self, seconds: float) -> None:
        counts = self.running.counts
        self.samples.append({
            "seconds": round(seconds, 1),
            "memory": counts.private_dirty(),
            "descriptors": len(list((counts.folder / "fd").iterdir())),
            "threads": counts.threads(),
            "cpu": counts.cpu, "switches": sum(counts.wakeups.values()),
        })

    def run(self) -> int:
        began = time.monotonic()
        end = began + self.options.minutes * 60
        plan: list[tuple[float, str]] = []
        for cycle in range(int(self.options.minutes * 60 // CYCLE)):
            plan += [(began + cycle * CYCLE + second, what) for second, what in PLAN.items()]
        next_sample = began
        while (now := time.monotonic()) < end:
            if self.running.process.poll() is not None:
                raise SystemExit(f"the daemon has ended:\n{self.running.told()[-2000:]}")
            if plan and plan[0][0] <= now:
                self.happen(plan.pop(0)[1])
            elif next_sample <= now:
                self.sample(now - began)
                next_sample += PERIOD
            else:
                time.sleep(max(0, min([next_sample, *(at for at, _ in plan[:1])]) - now))
        return self.judge()

    def close(self) -> None:
        self.broker.end()
        self.clients.end()
        self.radio.close()
        self.site.end()
        self.running.stop()

    # Judgement

    def judge(self) -> int:
        folder = pathlib.Path(self.options.folder)
        with open(folder / "samples.csv", "w", newline="") as file:
            writer = csv.DictWriter(file, self.samples[0].keys())
            writer.writeheader()
            writer.writerows(self.samples)
        (folder / "soak.svg").write_text(plot(self.samples))
        results, good = [], True
        hours = (self.samples[-1]["seconds"] - WARM * CYCLE) / 3600
        for what, unit in [("memory", "MiB"), ("descriptors", ""), ("threads", "")]:
            for name, of in [("median", statistics.median), ("greatest", max)]:
                cycles = [of(values) for values in by_cycle(self.samples, what)]
                slope, noise = slope_of(cycles)
                growth = slope * (len(cycles) - 1)
                limit = max(FLOOR[what], noise)
                good &= growth <= limit
                print(f"{'ok  ' if growth <= limit else 'FAIL'}  {what}, {name} of each cycle: {cycles[0]:.1f} to {cycles[-1]:.1f}"
                      f" {unit}, growth {growth:+.2f} in {hours:.1f} h, at most {limit:.2f}")
                results.append(Result(f"{what}, {name} of a cycle: growth in {hours:.1f} h", growth, unit, limit,
                                      f"{cycles[0]:.1f} to {cycles[-1]:.1f}"))
        pause = self.running.gap
        good &= pause < LONGEST_PAUSE
        print(f"{'ok  ' if pause < LONGEST_PAUSE else 'FAIL'}  the longest pause of ranging: {pause:.2f} s, below {LONGEST_PAUSE:.0f}")
        first, last = self.samples[0], self.samples[-1]
        seconds = last["seconds"] - first["seconds"]
        cpu = (last["cpu"] - first["cpu"]) / seconds
        switches = (last["switches"] - first["switches"]) / seconds
        print(f"      {self.radio.genuine_sent + self.radio.forged_sent} reports, {self.clients.answered} answers; "
              f"{cpu:.1%} of a core, {switches:.0f} wake-ups a second")
        results.append(Result("longest pause of ranging", pause, "s", LONGEST_PAUSE,
                              f"{self.radio.genuine_sent} reports and {self.radio.forged_sent} forged ones"))
        write_results(pathlib.Path(self.options.results), results)
        return 0 if good else 1


def by_cycle(samples: list[dict[str, float]], what: str) -> list[list[float]]:
    cycles: dict[int, list[float]] = {}
    for sample in samples:
        cycles.setdefault(int(sample["seconds"] // CYCLE), []).append(sample[what])
    whole = [values for values in cycles.values() if len(values) > CYCLE / PERIOD * 0.8]
    return whole[WARM:]


def slope_of(values: list[float]) -> tuple[float, float]:
    """The median of the slopes between all pairs (Theil and Sen), and by how much the values lie beside that line."""
    slopes = [(b - a) / (j - i) for i, a in enumerate(values) for j, b in enumerate(values) if j > i]
    slope = statistics.median(slopes) if slopes else 0
    rest = [value - slope * number for number, value in enumerate(values)]
    middle = statistics.median(rest)
    # Twice what a median of deviations is for a normal distribution's standard deviation.
    return slope, 2 * 1.4826 * statistics.median(abs(each - middle) for each in rest)


def plot(samples: list[dict[str, float]]) -> str:
    width, height = 900, 160
    parts = []
    for row, what in enumerate(["memory", "descriptors", "threads"]):
        top = max(sample[what] for sample in samples) or 1
        points = " ".join(
            f"{60 + sample['seconds'] / samples[-1]['seconds'] * (width - 80):.1f},"
            f"{(row + 1) * height - 20 - sample[what] / top * (height - 50):.1f}" for sample in samples)
        parts.append(f'<text x="60" y="{row * height + 20}">{what}, at most {top:.1f}</text>'
                     f'<polyline points="{points}" fill="none" stroke="#06c"/>'
                     f'<path d="M60 {(row + 1) * height - 20}H{width - 20}" stroke="#888"/>')
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {3 * height}" font-family="sans-serif" '
            f'font-size="14">{"".join(parts)}</svg>\n')


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ["beacond", "mosquitto", "faketime", "folder", "results"]:
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--minutes", type=int, default=60)
    options = parser.parse_args()
    if options.minutes * 60 < CYCLE * (WARM + 5):
        parser.error(f"--minutes is at least {CYCLE * (WARM + 5) // 60}: the first {WARM} cycles do not count")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    folder = pathlib.Path(tempfile.mkdtemp(prefix="beacond-soak-"))
    try:
        soak = Soak(options, folder)
        try:
            return soak.run()
        finally:
            soak.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
