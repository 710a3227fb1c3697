"""Reads what libFuzzer has written for each target, and prints a table: see tools/fuzz."""
import pathlib
import re
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "bench"))
from results import Result, write_results

FAULT = re.compile(r"^(broken invariant: .*|.*Fatal error: .*|==\d+== ?ERROR: .*|SUMMARY: .*)$", re.M)


def main():
    corpora, result, targets = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
    entries, faults = [], 0
    print(f"{'target':28} {'executions':>11} {'exec/s':>7} {'edges':>6} {'corpus':>7} {'peak MiB':>8}")
    for target in targets:
        place = corpora / target
        log = (place / "log").read_text(errors="replace")
        status = int((place / "status").read_text())
        stats = {key: int(value) for key, value in re.findall(r"^stat::(\w+): +(\d+)", log, re.M)}
        edges = max((int(number) for number in re.findall(r" cov: (\d+)", log)), default=0)
        count = len(list((place / "found").iterdir()))
        row = {
            "executions": stats.get("number_of_executed_units", 0),
            "executions/s": stats.get("average_exec_per_sec", 0),
            "edges": edges,
            "corpus": count,
            "peak MiB": stats.get("peak_rss_mb", 0),
        }
        print(f"{target:28} {row['executions']:11} {row['executions/s']:7} {edges:6} {count:7} {row['peak MiB']:8}")
        detail = ", ".join(f"{name} {value}" for name, value in row.items())
        if status != 0:
            faults += 1
            detail = explain(target, log, status)
        entries.append(Result(f"findings of {target}", int(status != 0), "", 0, detail))
    write_results(result, entries)
    print(f"{len(targets) - faults} passed, {faults} failed")
    sys.exit(1 if faults else 0)


def explain(target, log, status):
    """Shows a finding, and how to repeat it."""
    words = next((line.strip() for line in FAULT.findall(log)), f"it ended with status {status}")
    saved = re.search(r"Test unit written to (\S+)", log)
    print(f"  {target}: {words[:400]}")
    if saved:
        print(f"  repeat it: SWIFT_BACKTRACE=enable=no .tools/fuzz/fuzz {target} {saved[1]}")
    else:
        print(f"  its output: .tools/fuzz/{target}/log")
    return words[:400]


main()
