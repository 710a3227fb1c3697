#!/usr/bin/env python3
"""Runs RangingBenchmark, and writes what it measured. Started by tools/bench/ranking."""

from __future__ import annotations

import argparse
import json
import pathlib
import subprocess
import sys

from results import Result, write_results


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--benchmark", type=pathlib.Path, required=True)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    # Its status is 1 where a limit is missed, which the results tell.
    output = subprocess.run([arguments.benchmark, "--json"], check=False, capture_output=True, text=True)
    if output.returncode not in (0, 1):
        sys.exit(f"ranking.py: {arguments.benchmark} ended with {output.returncode}:\n{output.stderr}")
    results = [Result(**each) for each in json.loads(output.stdout)]
    for result in results:
        print(f"  {'ok  ' if result.is_met else 'FAIL'}  {result.text}")
    write_results(arguments.folder / "ranking.json", results)
    return 0 if all(result.is_met for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
