#!/usr/bin/env python3
"""notes.py CHANGELOG.md VERSION: the section of a version as release notes, in Markdown.

Links into the tree become plain text, because the notes are read elsewhere.
"""
import re
import sys


def main():
    path, version = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        parts = re.split(r"^## (.*)$", file.read(), flags=re.MULTILINE)[1:]
    for heading, body in zip(parts[::2], parts[1::2]):
        if heading.split(" ")[0] == version:
            body = re.sub(r"\[([^\]]+)\]\((?!\w+://)[^)]*\)", r"\1", body)
            print(f"# beacond {heading}\n\n{body.strip()}")
            return
    sys.exit(f"{path} has no section for {version}")


main()
