#!/usr/bin/env python3
"""Compares `beaconctl sightings` with the C reader on the workloads in a folder. Started by tools/bench/run."""

from __future__ import annotations

import argparse
import csv
import json
import pathlib
import statistics
import subprocess
import sys
from dataclasses import dataclass

from results import Result, write_results

SMALL, LARGE = 10_000, 1_000_000
VERSIONS = ("beaconctl", "beacon-advertise")
#: Held, and wanted.
VERSION_LIMIT_MIB, VERSION_AIM_MIB = 18.0, 12.0
ABOVE_VERSION_LIMIT_MIB = 3.0
READER_AIM_MIB = 14.0
GROWTH_LIMIT_MIB = 1.0
CPU_LIMITS = {"csv": 1.7, "json": 2.0}


@dataclass(frozen=True)
class Use:
    cpu: float
    """Seconds, user and system."""
    peak: float
    """MiB."""


class Bench:
    def __init__(self, programs: pathlib.Path, folder: pathlib.Path) -> None:
        self.programs = programs
        self.folder = folder
        self.failures: list[str] = []
        self.results: list[Result] = []

    def capture(self, events: int, kind: str = "monitor") -> str:
        return str(self.folder / f"{events}.{kind}.btsnoop")

    def program(self, name: str) -> str:
        return str(self.programs / name)

    def sightings(self, capture: str, form: str = "csv") -> list[str]:
        return [self.program("beaconctl"), "sightings", "--source", f"file:{capture}", "--format", form]

    def measure(self, command: list[str]) -> Use:
        line = subprocess.run([str(self.folder / "measure"), *command], check=True, capture_output=True, text=True)
        status, user, system, peak = line.stdout.split()
        if status != "0":
            sys.exit(f"compare.py: exit status {status} from: {' '.join(command)}")
        return Use(float(user) + float(system), int(peak) / 1024)

    def check(self, holds: bool, text: str) -> None:
        print(f"  {'ok  ' if holds else 'FAIL'}  {text}")
        if not holds:
            self.failures.append(text)

    def limit(self, result: Result, fails: bool = True) -> None:
        self.results.append(result)
        if fails or result.is_met:
            self.check(result.is_met, result.text)
        else:
            print(f"  note  {result.text}")

    def check_sums(self, events: int, kind: str) -> None:
        expected = json.loads((self.folder / f"{events}.json").read_text())
        found = dict.fromkeys(expected, 0)
        octets: dict[str, int] = {}
        with subprocess.Popen(
            self.sightings(self.capture(events, kind)), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as reader:
            assert reader.stdout is not None
            rows = csv.reader(reader.stdout)
            column = {name: index for index, name in enumerate(next(rows, []))}
            numbers = [(name, column[name]) for name in ("major", "minor", "measured_power", "rssi") if name in column]
            uuid = column.get("uuid", 0)
            for row in rows:
                found["count"] += 1
                for name, index in numbers:
                    found[name] += int(row[index])
                text = row[uuid]
                if text not in octets:
                    octets[text] = sum(bytes.fromhex(text.replace("-", "")))
                found["uuid_bytes"] += octets[text]
        self.check(
            reader.returncode == 0 and found == expected,
            f"{events} reports ({kind}): {found['count']} iBeacons, sums as expected"
            if found == expected
            else f"{events} reports ({kind}): found {found}, expected {expected}, status {reader.returncode}",
        )

    def compare(self, rounds: int) -> dict[str, list[Use]]:
        capture = self.capture(LARGE)
        uses: dict[str, list[Use]] = {name: [] for name in ("c", *CPU_LIMITS, "small", *VERSIONS)}
        # Alternating, so that a slow period of the machine, or one with little memory for files, affects all.
        for _ in range(rounds):
            uses["small"].append(self.measure(self.sightings(self.capture(SMALL))))
            for name in VERSIONS:
                uses[name].append(self.measure([self.program(name), "--version"]))
            uses["c"].append(self.measure([str(self.folder / "c_baseline"), capture]))
            for form in CPU_LIMITS:
                uses[form].append(self.measure(self.sightings(capture, form)))
        return uses


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=pathlib.Path, required=True, help="the folder of the release build")
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--exact-only", action="store_true")
    arguments = parser.parse_args()
    bench = Bench(arguments.programs, arguments.folder)

    print("Exactness")
    for events in (SMALL, LARGE):
        bench.check_sums(events, "monitor")
    bench.check_sums(SMALL, "h4")

    uses = bench.compare(arguments.rounds)
    peaks = {name: max(use.peak for use in row) for name, row in uses.items()}

    print(f"\n{'':38}{'CPU s':>8}{'peak MiB':>10}")
    rows = [("c_baseline, 1 000 000", uses["c"])]
    rows += [(f"beaconctl sightings, {form}, 1 000 000", uses[form]) for form in CPU_LIMITS]
    rows += [("beaconctl sightings, csv, 10 000", uses["small"])]
    rows += [(f"{name} --version", uses[name]) for name in VERSIONS]
    for name, row in rows:
        print(f"{name:38}{statistics.median(use.cpu for use in row):8.3f}{max(use.peak for use in row):10.1f}")

    print("\nLimits")
    large_peak = max(peaks[form] for form in CPU_LIMITS)
    above = max(peaks["small"], large_peak) - peaks["beaconctl"]
    growth = abs(large_peak - peaks["small"])
    for name in VERSIONS:
        what = f"peak memory of {name} --version"
        bench.limit(Result(what, peaks[name], "MiB", VERSION_LIMIT_MIB, aim=VERSION_AIM_MIB))
    bench.limit(Result("peak memory of a reader above --version", above, "MiB", ABOVE_VERSION_LIMIT_MIB))
    bench.limit(Result("peak memory of a reader of 1 000 000 reports", large_peak, "MiB", aim=READER_AIM_MIB))
    bench.limit(Result("peak memory of 1 000 000 reports above 10 000", growth, "MiB", GROWTH_LIMIT_MIB))
    for form, limit in CPU_LIMITS.items():
        ratios = [ours.cpu / max(theirs.cpu, 1e-6) for ours, theirs in zip(uses[form], uses["c"])]
        detail = f"median of {len(ratios)}, {min(ratios):.2f} to {max(ratios):.2f}"
        ratio = Result(f"CPU time of sightings --format {form}", statistics.median(ratios), "times C", limit, detail)
        bench.limit(ratio, fails=not arguments.exact_only)
    write_results(arguments.folder / "reader.json", bench.results)
    return 1 if bench.failures else 0


if __name__ == "__main__":
    sys.exit(main())
