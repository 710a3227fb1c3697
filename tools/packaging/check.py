#!/usr/bin/env python3
"""check.py ROOT: checks that every command and option of the programs below ROOT is in their manual, and that bash
completes it.

Lists those that are not; the exit status is then 1.
"""
import glob
import os
import re
import subprocess
import sys

import commands

# Completes the words after the script's name, and prints the results.
COMPLETE = """
source "$1"
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
"$(complete -p "$1" | sed 's/.*-F \\([^ ]*\\) .*/\\1/')"
printf '%s\\n' "${COMPREPLY[@]}"
"""


def manual(root, program):
    """The manual's text, without the backspaces of bold letters."""
    page, = glob.glob(f"{root}/usr/share/man/man*/{program}.[18]")
    text = subprocess.run(["mandoc", "-T", "utf8", page], stdout=subprocess.PIPE, check=True).stdout.decode()
    return re.sub(".\b", "", text)


def offered(root, words):
    script = f"{root}/usr/share/bash-completion/completions/{words[0]}"
    result = subprocess.run(["bash", "-c", COMPLETE, "bash", script, *words], stdout=subprocess.PIPE, check=True,
                            cwd="/", stderr=subprocess.DEVNULL)
    return result.stdout.decode().split()


def problems(root, program):
    text = manual(root, program)
    tree = commands.load(f"{root}/usr/bin", program)
    count = 0
    for command in tree.all():
        words = command.path.split()
        if command is not tree and not re.search(rf"^ +{re.escape(' '.join(words[1:]))}$", text, re.MULTILINE):
            yield f"{program}'s manual has no heading for {command.path}"
        completed = offered(root, words + ["--"])
        for option in command.options:
            count += 1
            if not re.search(rf"(?<![\w-]){re.escape(option.name)}(?![\w-])", text):
                yield f"{program}'s manual does not have {command.path} {option.name}"
            if option.name not in completed:
                yield f"bash does not complete {command.path} {option.name}"
            for value in option.values:
                if value not in offered(root, words + [option.name, ""]):
                    yield f"bash does not complete {command.path} {option.name} {value}"
        for below in set(c.name for c in command.commands) - set(offered(root, words + [""])):
            yield f"bash does not complete {command.path} {below}"
    if count < 5:
        yield f"{program} tells of hardly any options"


def main():
    root, = sys.argv[1:]
    programs = sorted(os.listdir(f"{root}/usr/bin"))
    # Programs look for their libraries and companions in the packages' folders, or in their own.
    os.environ["LD_LIBRARY_PATH"] = ":".join(glob.glob(f"{root}/usr/lib/beacon*"))
    for path in glob.glob(f"{root}/usr/libexec/*/*"):
        os.symlink(path, f"{root}/usr/bin/{os.path.basename(path)}")
    found = [problem for program in programs for problem in problems(root, program)]
    print("\n".join(found))
    sys.exit(1 if found else 0)


main()
