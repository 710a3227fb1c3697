#!/usr/bin/env python3
"""Compares DecodeBenchmark with the C reference on the workload in a folder. Started by tools/bench/decode."""

from __future__ import annotations

import argparse
import json
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

from results import Result, write_results

EVENTS = 10_000
# Enough for a second and less, and short enough that a slow period of the machine affects both programs.
REPETITIONS = 200
#: Held, and wanted.
CPU_LIMIT, CPU_AIM = 1.5, 1.3
INSTRUCTION_LIMIT = 220


def run(program: pathlib.Path, capture: pathlib.Path, repetitions: int = REPETITIONS) -> dict:
    command = [str(program), str(capture), str(repetitions)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def instructions(program: pathlib.Path, capture: pathlib.Path) -> float:
    """Per event: the difference of two runs, so that neither start nor reading counts."""

    def total(repetitions: int) -> int:
        output = subprocess.run(
            ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", str(program), str(capture), str(repetitions)],
            check=True, capture_output=True, text=True,
        ).stderr
        found = re.search(r"Collected : (\d+)", output)
        if found is None:
            sys.exit(f"decode.py: valgrind counted nothing:\n{output}")
        return int(found[1])

    return (total(21) - total(1)) / (20 * EVENTS)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--benchmark", type=pathlib.Path, required=True)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--rounds", type=int, default=9)
    arguments = parser.parse_args()
    capture = arguments.folder / f"{EVENTS}.h4.btsnoop"
    reference = arguments.folder / "c_baseline"

    expected = json.loads((arguments.folder / f"{EVENTS}.json").read_text())
    ours, theirs = [], []
    for _ in range(arguments.rounds):
        theirs.append(run(reference, capture))
        ours.append(run(arguments.benchmark, capture))
    wrong = [found for found in ours if found["found"] != expected or found["events"] != EVENTS]
    ratios = [our["ns_per_event"] / their["ns_per_event"] for our, their in zip(ours, theirs)]

    def nanoseconds(runs: list[dict]) -> float:
        return statistics.median(each["ns_per_event"] for each in runs)

    detail = f"median of {len(ratios)}, {min(ratios):.2f} to {max(ratios):.2f}"
    results = [
        Result("rounds with a wrong count or sum", len(wrong), "rounds", 0),
        Result("CPU time of decoding an event", statistics.median(ratios), "times C", CPU_LIMIT, detail, CPU_AIM),
        Result("CPU time of decoding an event", nanoseconds(ours), "ns", None, f"C: {nanoseconds(theirs):.2f} ns"),
        Result("allocations of decoding an event", max(each["allocations_per_event"] for each in ours), "", 0),
    ]
    if shutil.which("valgrind") is None:
        print("  note  without valgrind, no instructions are counted")
    else:
        with tempfile.TemporaryDirectory() as folder:
            # valgrind 3.19 cannot read this debug information.
            stripped = pathlib.Path(folder) / "benchmark"
            subprocess.run(["strip", "--strip-debug", "-o", stripped, arguments.benchmark], check=True)
            count = instructions(stripped, capture)
            detail = f"C: {instructions(reference, capture):.0f}"
            results.append(Result("instructions of decoding an event", count, "", INSTRUCTION_LIMIT, detail))
    for result in results:
        print(f"  {'ok  ' if result.is_met else 'FAIL'}  {result.text}")
    write_results(arguments.folder / "decode.json", results)
    return 0 if all(result.is_met for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
