#!/usr/bin/env python3
"""configuration.py docs/configuration.md: the default configuration, with every setting as a comment.

A test compares the table of the settings with the program, so that it cannot become outdated. Only settings with a
default that can be written down are included; the manual has the rest.
"""
import re
import sys
import textwrap

import mdoc

HEAD = """\
# Settings of beacond. As they stand here, it listens on the first adapter, and fetches nothing.
#
# Every setting is here as a comment, with its default where it has one: to change it, take the signs away from its line
# and from the line of its group. beacond.yaml(5) has more.
#
#   beaconctl config check       says all that is wrong
#   systemctl reload beacond     makes beacond use it, without forgetting what it has received
"""
EXAMPLES = {
    "sources": "[hci0]",
    "content.base_url": "https://museum.example/site",
}


def settings(markdown):
    """Name, description and default of every row of the first table."""
    for row in markdown.splitlines():
        if row.startswith("| `"):
            yield mdoc.cells(row)[:3]
        elif row.startswith("## "):
            return


def value(name, default):
    """The default in the form in which one writes it; an example or nothing if there is none."""
    literal = re.fullmatch(r"`([^`]+)`", default)
    size = re.fullmatch(r"(\d+) (KiB|MiB|GiB)", default)
    if name in EXAMPLES:
        return EXAMPLES[name]
    if literal:
        return literal[1]
    if size:
        return str(int(size[1]) << {"KiB": 10, "MiB": 20, "GiB": 30}[size[2]])
    return ""


def told(words, indent):
    sign = f"#{indent}# " if indent else "# "
    return textwrap.wrap(mdoc.plain(words), 118, initial_indent=sign, subsequent_indent=sign,
                         break_long_words=False, break_on_hyphens=False)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        markdown = file.read()
    lines, group = [HEAD], []
    for names, what, default in settings(markdown):
        for path in (mdoc.plain(name).split(".") for name in names.split(", ")):
            common = 0
            while common < len(path) - 1 and path[common:common + 1] == group[common:common + 1]:
                common += 1
            if path[:-1] != group and not common:
                lines.append("")
            for level in range(common, len(path) - 1):
                lines.append("#" + "  " * level + path[level] + ":")
            group = path[:-1]
            indent = "  " * len(group)
            # What is below in the page is not below in the file.
            lines += told(what.replace(", see below", ", see beacond.yaml(5)"), indent)
            lines.append(f"#{indent}{path[-1]}: {value('.'.join(path), default)}".rstrip())
    print("\n".join(lines))


main()
