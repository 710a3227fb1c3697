#!/usr/bin/env python3
"""uncomment.py beacond.yaml: prints the default configuration with every setting that has a value uncommented."""
import re
import sys


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        rows = file.read().splitlines()
    # A real comment has a space after its sign, or its group's spaces and another sign.
    settings = [row[1:] for row in rows if re.match(r"# *[a-z_]+:( .*)?$", row) and not re.match(r"# [a-z]", row)]
    for row, after in zip(settings, settings[1:] + [""]):
        depth = len(row) - len(row.lstrip())
        is_group = len(after) - len(after.lstrip()) > depth
        if is_group or not row.endswith(":"):
            print(row)


main()
