"""Measures a build from nothing, target by target. Started by tools/bench/first-build."""

from __future__ import annotations

import argparse
import os
import pathlib
import re
import resource
import subprocess
import sys
from collections import defaultdict

from results import Result, write_results

LIMIT_MIN = 8
# Most targets take seconds.
ROWS = 12
TICKS = os.sysconf("SC_CLK_TCK")


def group(command: str) -> str:
    """What a compiler's command line compiles."""
    swift = re.search(r"-module-name\0([^\0]+)", command)
    c = re.search(r"/([A-Za-z0-9_]+)\.build/", command)
    name = swift[1] if swift else c[1] if c and "clang" in command else ""
    # Two packages have a copy of it each.
    return "BoringSSL, twice" if "BoringSSL" in name else name


def sample(seen: dict[tuple[str, str], tuple[str, float]]) -> None:
    """The processor time, until now, of each compiler that runs."""
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_text(errors="replace")
            if "swift" not in command and "clang" not in command:
                continue
            fields = (process / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:  # it has ended
            continue
        # A compiler may be seen before it has become one.
        name = group(command) or seen.get((process.name, fields[19]), ("", 0.0))[0]
        seen[process.name, fields[19]] = (name, (int(fields[11]) + int(fields[12])) / TICKS)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=pathlib.Path, required=True, help="the clone")
    parser.add_argument("--results", type=pathlib.Path, required=True)
    parser.add_argument("command", nargs="+")
    arguments = parser.parse_args()
    seen: dict[tuple[str, str], tuple[str, float]] = {}
    log = arguments.results.with_suffix(".log")
    with log.open("wb") as output:
        build = subprocess.Popen(arguments.command, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        while build.returncode is None:
            sample(seen)
            try:
                build.wait(0.2)
            except subprocess.TimeoutExpired:
                pass
    if build.returncode:
        sys.exit(f"first_build.py: the build failed; its output is in {log}")
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    total = usage.ru_utime + usage.ru_stime
    targets: defaultdict[str, float] = defaultdict(float)
    for name, seconds in seen.values():
        if name:
            targets[name] += seconds
    ours = {name for name in targets if (arguments.source / "Sources" / name).is_dir()}
    results = [Result("CPU time of the first build", total / 60, "min", LIMIT_MIN)]
    results.append(Result(f"of that, {len(ours)} targets of ours", sum(targets[name] for name in ours) / 60, "min"))
    others = sorted((name for name in targets if name not in ours), key=lambda name: -targets[name])
    results += [Result(f"of that, {name}", targets[name] / 60, "min") for name in others[:ROWS]]
    write_results(arguments.results, results)
    for result in results:
        print(result.text)
    return 0 if all(result.is_met for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
