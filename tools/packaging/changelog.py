#!/usr/bin/env python3
"""changelog.py CHANGELOG.md VERSION MAINTAINER TIME: Debian's form of a changelog.

Each section `## VERSION — DATE` becomes an entry. The first has the given version and time (seconds since the epoch):
an unreleased version has no date of its own.
"""
import datetime
import email.utils
import re
import sys
import textwrap


def sections(text):
    """Pairs of a heading and the lines below it."""
    parts = re.split(r"^## (.*)$", text, flags=re.MULTILINE)[1:]
    return zip(parts[::2], parts[1::2])


def items(body):
    """The list's items, each on one line, without Markdown syntax."""
    for item in re.split(r"^- ", body, flags=re.MULTILINE)[1:]:
        item = re.split(r"^#", item, flags=re.MULTILINE)[0]
        yield re.sub(r"\s+", " ", re.sub(r"\*\*|`", "", item)).strip()


def entry(version, body, maintainer, time):
    lines = [f"beacond ({version}) stable; urgency=medium", ""]
    for item in items(body) or ["See CHANGELOG.md."]:
        lines += textwrap.wrap(item, 76, initial_indent="  * ", subsequent_indent="    ")
    return "\n".join(lines + ["", f" -- {maintainer}  {email.utils.format_datetime(time)}", ""])


def main():
    path, version, maintainer, seconds = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        text = file.read()
    built = datetime.datetime.fromtimestamp(int(seconds), datetime.timezone.utc)
    for index, (heading, body) in enumerate(sections(text)):
        name, _, date = (part.strip() for part in heading.partition("—"))
        released = re.fullmatch(r"\d{4}-\d{2}-\d{2}", date)
        time = datetime.datetime.fromisoformat(date + "T12:00:00+00:00") if released and index else built
        print(entry(name if index else version, body, maintainer, time))


main()
