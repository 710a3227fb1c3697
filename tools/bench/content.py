#!/usr/bin/env python3
"""Compares `beaconctl content sync` with wget on a large site behind nginx. Started by tools/bench/content."""

from __future__ import annotations

import argparse
import hashlib
import json
import pathlib
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

TIME_LIMIT = 1.3
MEMORY_LIMIT_MIB = 16.0
ASSET_BYTES = 8000
UUID = "636f3f8f-6491-4bee-95f7-d8cc64a863b5"


def encoded(document: object) -> bytes:
    return json.dumps(document, separators=(",", ":"), sort_keys=True).encode()


class Site:
    """The files below v1/, and the paths of their URLs."""

    def __init__(self, root: pathlib.Path, beacons: int) -> None:
        self.root = root
        self.paths: list[str] = []
        lines = [self.beacon(number) for number in range(beacons)]
        site = {"format": 1, "revision": 1, "updated_at": "2026-01-01T00:00:00Z", "uncategorized": None}
        self.write("site.json", encoded({**site, "beacons": lines}))

    def beacon(self, number: int) -> dict[str, object]:
        major, minor = divmod(number, 100)
        identity = {"uuid": UUID, "major": major, "minor": minor, "name": f"Exhibit {number}"}
        image, other = self.asset(2 * number), self.asset(2 * number + 1)
        gallery = {"id": "2", "label": "More", "position": "right", "kind": "gallery", "assets": [other]}
        shown = {"title": f"Exhibit {number}", "width_cm": 20, "display": "overlay", "fullscreen": None}
        images = [{"id": "1", "asset": image, "contents": [gallery], **shown}]
        manifest = encoded({"format": 1, "beacon": identity, "updated_at": "2026-01-01T00:00:00Z", "images": images})
        path = f"beacons/{UUID}/{major}/{minor}.json"
        self.write(path, manifest)
        return {**identity, "manifest": path, "sha256": hashlib.sha256(manifest).hexdigest()}

    def asset(self, number: int) -> dict[str, object]:
        data = hashlib.shake_128(str(number).encode()).digest(ASSET_BYTES)
        name = hashlib.sha256(data).hexdigest()
        self.write(f"assets/{name}", data)
        return {"sha256": name, "bytes": len(data), "media_type": "image/png"}

    def write(self, path: str, data: bytes) -> None:
        file = self.root / "v1" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        self.paths.append(f"/v1/{path}")


class Nginx:
    def __init__(self, program: str, site: pathlib.Path, folder: pathlib.Path) -> None:
        self.log = folder / "access.log"
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.base = f"http://127.0.0.1:{port}"
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        temporary = "".join(f"    {kind}_temp_path {folder}/{kind};\n" for kind in kinds)
        (folder / "nginx.conf").write_text(
            f"daemon off;\nmaster_process off;\npid {folder}/pid;\nerror_log {folder}/error.log;\n"
            "events { worker_connections 256; }\n"
            f"http {{\n    access_log {self.log};\n{temporary}    sendfile on;\n"
            f"    server {{ listen 127.0.0.1:{port}; root {site}; }}\n}}\n"
        )
        command = [program, "-p", folder, "-e", folder / "error.log", "-c", folder / "nginx.conf"]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.05)
        sys.exit(f"content.py: nginx does not start, see {folder}/error.log")

    def requests(self) -> int:
        return self.log.read_bytes().count(b"GET /v1/")

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()


@dataclass(frozen=True)
class Run:
    seconds: float
    dirty: float
    """The most private dirty memory, in MiB."""
    output: str


def run(*command: object, watch: bool = False) -> Run:
    dirty = 0
    with tempfile.TemporaryFile("w+") as output:
        start = time.monotonic()
        process = subprocess.Popen([str(word) for word in command], stdout=output, stderr=subprocess.STDOUT)
        while watch and process.poll() is None:
            dirty = max(dirty, private_dirty(process.pid))
            time.sleep(0.05)
        process.wait()
        seconds = time.monotonic() - start
        output.seek(0)
        text = output.read()
    if process.returncode != 0:
        sys.exit(f"content.py: exit status {process.returncode} from {command[:3]}:\n{text[-2000:]}")
    return Run(seconds, dirty / 1024, text)


def private_dirty(pid: int) -> int:
    """In KiB, as reported by /proc."""
    try:
        text = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return sum(int(line.split()[1]) for line in text.splitlines() if line.startswith("Private_Dirty:"))


class Comparison:
    def __init__(self, beaconctl: pathlib.Path, work: pathlib.Path, base: str, paths: list[str]) -> None:
        self.beaconctl = beaconctl
        self.work = work
        self.runs = 0
        self.urls = work / "urls"
        self.urls.write_text("".join(f"{base}{path}\n" for path in paths))
        empty = work / "empty.yaml"
        empty.write_text("")
        self.options = ["--config", empty, "--base-url", base, "--store"]
        self.failures = 0

    def check(self, holds: bool, text: str) -> None:
        print(f"  {'ok  ' if holds else 'FAIL'}  {text}", flush=True)
        self.failures += not holds

    def place(self) -> pathlib.Path:
        """A new folder each time: after many files were deleted, ext4 is slow to create files for minutes."""
        run("sync", "-f", self.work)
        self.runs += 1
        return self.work / f"run{self.runs}"

    def wget(self) -> Run:
        return run("wget", "-q", "-x", "-P", self.place(), "-i", self.urls)

    def sync(self, store: pathlib.Path) -> Run:
        return run(self.beaconctl, "content", "sync", *self.options, store, watch=True)

    def verify(self, store: pathlib.Path) -> str:
        result = run(self.beaconctl, "content", "verify", "--dry-run", "--store", store)
        return result.output.strip().splitlines()[-1]


def compare(arguments: argparse.Namespace, work: pathlib.Path) -> int:
    site = Site(work / "site", arguments.beacons)
    (work / "nginx").mkdir()
    nginx = Nginx(arguments.nginx, work / "site", work / "nginx")
    try:
        comparison = Comparison(arguments.beaconctl, work, nginx.base, site.paths)
        print(f"{arguments.beacons} beacons, {2 * arguments.beacons} assets, {len(site.paths)} files")
        print(f"{'':8}{'wget s':>9}{'sync s':>9}{'ratio':>8}{'dirty MiB':>11}", flush=True)
        ratios, dirty = [], []
        for number in range(arguments.rounds):
            wget = comparison.wget()
            store = comparison.place()
            first = comparison.sync(store)
            ratios.append(first.seconds / wget.seconds)
            dirty.append(first.dirty)
            print(f"{number + 1:<8}{wget.seconds:9.2f}{first.seconds:9.2f}{ratios[-1]:8.2f}{dirty[-1]:11.1f}", flush=True)
        before = nginx.requests()
        again = comparison.sync(store)
        requests = nginx.requests() - before
        print(f"unchanged: {again.seconds:.2f} s, {again.dirty:.1f} MiB\n\nLimits")
        spread = f"median of {len(ratios)}, {min(ratios):.2f} to {max(ratios):.2f}"
        median = statistics.median(ratios)
        comparison.check(median <= TIME_LIMIT, f"{median:.2f} times wget ({spread}; at most {TIME_LIMIT})")
        most = max(dirty)
        comparison.check(most <= MEMORY_LIMIT_MIB, f"{most:.1f} MiB private dirty (at most {MEMORY_LIMIT_MIB:.0f})")
        comparison.check(requests == 1, f"{requests} request for an unchanged site")
        verified = comparison.verify(store)
        comparison.check(verified.startswith(f"{2 * arguments.beacons} files"), verified)
        return comparison.failures
    finally:
        nginx.stop()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--beaconctl", type=pathlib.Path, required=True)
    parser.add_argument("--nginx", required=True)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--beacons", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    work = pathlib.Path(tempfile.mkdtemp(prefix="content.", dir=arguments.folder))
    try:
        sys.exit(1 if compare(arguments, work) else 0)
    finally:
        shutil.rmtree(work)


if __name__ == "__main__":
    main()
