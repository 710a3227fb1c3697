"""Writes the figures of the benchmarks into a document. Started by tools/bench/all.

    report.py FOLDER DOCUMENT

FOLDER has a file for each benchmark: a list of {"what", "value", "unit", "limit", "detail", "aim"}. What stands in DOCUMENT
between two marks is replaced by tables of them; the rest is written by people. The table of a benchmark without a file
stays as it is.
"""
from __future__ import annotations

import datetime
import json
import os
import pathlib
import re
import sys

BEGIN, END = "<!-- figures: written by tools/bench/all -->", "<!-- end of the figures -->"
SECTIONS = {
    "reader": "A capture to text", "decode": "Decoding alone", "ranking": "Ranging alone",
    "size": "Memory and size", "daemon": "The daemon",
    "history": "Reports over a month", "soak": "An hour of coming and going", "peers": "Other readers",
    "first-build": "The first build",
}


def number(value: float) -> str:
    if value == int(value) and abs(value) < 1e6:
        return f"{int(value):,}"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def row(entry: dict[str, object]) -> str:
    value, unit = entry["value"], entry.get("unit") or ""
    limit = entry.get("limit") if entry.get("aim") is None else entry["aim"]
    held = "" if limit is None else number(limit) + ("" if value <= limit else " **missed**")
    return f"| {entry['what']} | {number(value)} {unit}".rstrip() + f" | {held} | {entry.get('detail') or ''} |"


def processor() -> str:
    found = re.search(r"^model name\s*:\s*(.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    return found[1] if found else os.uname().machine


def kept(figures: str) -> dict[str, str]:
    """The tables of an earlier run by their titles."""
    return {part.split("\n", 1)[0]: f"### {part.strip()}" for part in figures.split("### ")[1:]}


def tables(folder: pathlib.Path, earlier: dict[str, str]) -> str:
    parts = []
    for name, title in SECTIONS.items():
        file = folder / f"{name}.json"
        if not file.exists():
            if title in earlier:
                parts += [earlier[title], ""]
            continue
        entries = json.loads(file.read_text())
        date = datetime.date.fromtimestamp(file.stat().st_mtime)
        parts += [f"### {title}", "", f"Measured on {date}.", "", "| | measured | limit | |", "|---|---|---|---|"]
        parts += [row(entry) for entry in entries]
        parts.append("")
    return "\n".join(parts)


def main() -> int:
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    folder, document = map(pathlib.Path, sys.argv[1:])
    text = document.read_text()
    before, rest = text.split(BEGIN)
    figures, after = rest.split(END)
    machine = f"On {os.cpu_count()} cores ({processor()}), which others use too: ratios count, not times."
    document.write_text(f"{before}{BEGIN}\n\n{machine}\n\n{tables(folder, kept(figures))}{END}{after}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
