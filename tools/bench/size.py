#!/usr/bin/env python3
"""Measures programs and the libraries that they load. Started by tools/bench/size."""

from __future__ import annotations

import argparse
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

from results import Result, write_results

PROGRAMS = ("beaconctl", "beaconctl-remote", "beacon-advertise", "beacond", "beacon-fleet", "beacon-content-server")
MIB = 1 << 20
RUNS = 5


def size(path: pathlib.Path) -> float:
    return path.stat().st_size / MIB


def peak(measure: pathlib.Path, program: pathlib.Path) -> float:
    def once() -> float:
        line = subprocess.run([measure, program, "--version"], check=True, capture_output=True, text=True).stdout
        status, *_, kib = line.split()
        if status != "0":
            sys.exit(f"size.py: exit status {status} from: {program} --version")
        return int(kib) / 1024

    return statistics.median(once() for _ in range(RUNS))


def libraries(program: pathlib.Path) -> set[pathlib.Path]:
    listing = subprocess.run(["ldd", program], check=True, capture_output=True, text=True).stdout
    found = (pathlib.Path(path).resolve() for path in re.findall(r"=> (/\S+)", listing))
    return {path for path in found if not re.match(r"(libc|libm|ld-linux)\b", path.name)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=pathlib.Path, required=True, help="the folder of the release build")
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    results: list[Result] = []
    users: dict[pathlib.Path, list[str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in PROGRAMS:
            program = arguments.programs / name
            if not program.exists():
                sys.exit(f"size.py: there is no {program}; build it: tools/bench/run")
            stripped = pathlib.Path(folder) / name
            subprocess.run(["strip", "-o", stripped, program], check=True)
            results.append(Result(f"{name} on the disk, stripped", size(stripped), "MiB"))
            results.append(Result(f"peak memory of {name} --version", peak(arguments.folder / "measure", program), "MiB"))
            for library in libraries(program):
                users.setdefault(library, []).append(name)
    for library, names in sorted(users.items(), key=lambda item: -size(item[0])):
        results.append(Result(f"{library.name} on the disk", size(library), "MiB", None, "loaded by " + ", ".join(names)))
    for result in results:
        print(f"  {result.text}")
    write_results(arguments.folder / "size.json", results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
