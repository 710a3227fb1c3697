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

SMALL, LARGE = 10_000, 1_000_000
PEAK_LIMIT_MIB = 24.0
ABOVE_VERSION_LIMIT_MIB = 4.0
GROWTH_LIMIT_MIB = 1.5
CPU_LIMIT = 4.0


@dataclass(frozen=True)
class Use:
    cpu: float
    """Seconds, user and system."""
    peak: float
    """MiB."""


class Bench:
    def __init__(self, beaconctl: pathlib.Path, folder: pathlib.Path) -> None:
        self.beaconctl = beaconctl
        self.folder = folder
        self.failures: list[str] = []

    def capture(self, events: int, kind: str = "monitor") -> str:
        return str(self.folder / f"{events}.{kind}.btsnoop")

    def sightings(self, capture: str) -> list[str]:
        return [str(self.beaconctl), "sightings", "--source", f"file:{capture}", "--format", "csv"]

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

    def compare_cpu(self, rounds: int) -> tuple[list[Use], list[Use]]:
        capture = self.capture(LARGE)
        ours, theirs = [], []
        # Alternating, so that a slow period of the machine affects both.
        for _ in range(rounds):
            theirs.append(self.measure([str(self.folder / "c_baseline"), capture]))
            ours.append(self.measure(self.sightings(capture)))
        return ours, theirs


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--beaconctl", type=pathlib.Path, required=True)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--exact-only", action="store_true")
    arguments = parser.parse_args()
    bench = Bench(arguments.beaconctl, arguments.folder)

    print("Exactness")
    for events in (SMALL, LARGE):
        bench.check_sums(events, "monitor")
    bench.check_sums(SMALL, "h4")

    version = bench.measure([str(bench.beaconctl), "--version"])
    small = bench.measure(bench.sightings(bench.capture(SMALL)))
    ours, theirs = bench.compare_cpu(arguments.rounds)
    ratios = [a.cpu / max(b.cpu, 1e-6) for a, b in zip(ours, theirs)]
    ratio = statistics.median(ratios)
    large_peak = max(use.peak for use in ours)

    print(f"\n{'':34}{'CPU s':>8}{'peak MiB':>10}")
    for name, cpu, peak in (
        ("c_baseline, 1 000 000", statistics.median(use.cpu for use in theirs), max(use.peak for use in theirs)),
        ("beaconctl sightings, 1 000 000", statistics.median(use.cpu for use in ours), large_peak),
        ("beaconctl sightings, 10 000", small.cpu, small.peak),
        ("beaconctl --version", version.cpu, version.peak),
    ):
        print(f"{name:34}{cpu:8.3f}{peak:10.1f}")

    print("\nLimits")
    peak = max(small.peak, large_peak)
    bench.check(peak <= PEAK_LIMIT_MIB, f"peak memory {peak:.1f} MiB (at most {PEAK_LIMIT_MIB:.0f})")
    above = peak - version.peak
    bench.check(above <= ABOVE_VERSION_LIMIT_MIB, f"{above:.1f} MiB above --version (at most {ABOVE_VERSION_LIMIT_MIB:.0f})")
    growth = abs(large_peak - small.peak)
    bench.check(growth <= GROWTH_LIMIT_MIB, f"{growth:.1f} MiB between the two sizes (at most {GROWTH_LIMIT_MIB})")
    cpu_text = (
        f"CPU {ratio:.2f} times C (median of {len(ratios)}, {min(ratios):.2f} to {max(ratios):.2f}; at most {CPU_LIMIT:.0f})"
    )
    if arguments.exact_only and ratio > CPU_LIMIT:
        print(f"  note  {cpu_text}")
    else:
        bench.check(ratio <= CPU_LIMIT, cpu_text)

    record = {
        "cpu_ratio": round(ratio, 3),
        "cpu_ratios": [round(each, 3) for each in ratios],
        "peak_mib": {"small": round(small.peak, 2), "large": round(large_peak, 2), "version": round(version.peak, 2)},
        "failures": bench.failures,
    }
    (arguments.folder / "last.json").write_text(json.dumps(record, indent=1) + "\n")
    return 1 if bench.failures else 0


if __name__ == "__main__":
    sys.exit(main())
