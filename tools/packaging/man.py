#!/usr/bin/env python3
"""man.py program PROGRAM SECTION FOLDER EXTRA DATE
man.py file NAME SECTION PAGE.md EXTRA DATE ABOUT [TITLE…]: a man page, on standard output.

The first is made from the description that a program in FOLDER gives of itself, the second from a page of the
documentation, or from its sections with these titles; ABOUT says in a few words what it is. EXTRA is written by hand: its part before the first .Sh goes into the description, the rest follows.
"""
import re
import sys

import commands
import mdoc


def page(name, section, date, about, body, extra):
    head = [f".Dd {date}", f".Dt {name.upper()} {section}", ".Os beacond", ".Sh NAME", f".Nm {name}",
            f".Nd {about[:1].lower() + about[1:].rstrip('.')}"]
    return "\n".join(head + [part.strip("\n") for part in body + extra if part.strip()]) + "\n"


def read_extra(path):
    """The hand-written text: the part for the description, and the sections."""
    with open(path, encoding="utf-8") as file:
        lines = [row for row in file.read().splitlines() if not row.startswith('.\\"')]
    first = next((i for i, row in enumerate(lines) if row.startswith(".Sh ")), len(lines))
    return "\n".join(lines[:first]), "\n".join(lines[first:])


def program_page(name, section, folder, extra, date):
    root = commands.load(folder, name)
    description, sections = read_extra(extra)
    body = [".Sh SYNOPSIS", *synopses(root), ".Sh DESCRIPTION", mdoc.paragraphs(root.discussion or root.abstract)]
    if description.strip():
        body += [".Pp", description]
    body += [".Pp", "The options are as follows:", options(root)]
    if root.commands:
        body += [".Sh COMMANDS", *(part for command in root.commands for part in command_parts(command))]
    return page(name, section, date, root.abstract, body, [sections])


def synopses(root):
    """The program's own synopsis, then one for each command."""
    own = [f".Nm {root.name}\n" + synopsis(root)] if own_form(root) else []
    return own + [f".Nm {root.name}\n.Cm {' '.join(c.path.split()[1:])}\n.Op Ar option ..." + rest(c)
                  for c in root.commands]


def own_form(root):
    return not root.commands or len(root.options) > len(commands.STANDARD)


def rest(command):
    if command.commands:
        return "\n.Ar command"
    return "".join("\n" + positional(argument) for argument in command.positionals)


def synopsis(command):
    lines = [f".Op {flag(option)}" for option in command.options if option.name.strip("-") not in commands.STANDARD]
    return "\n".join(lines + [positional(argument) for argument in command.positionals])


def positional(argument):
    form = f"Ar {mdoc.word(argument.value)}" + (" ..." if argument.repeats else "")
    return (".Op " if argument.optional else ".") + form


def flag(option, name=None):
    form = f"Fl {(name or option.name)[1:]}"
    return form + (f" Ar {mdoc.word(option.value)}" if option.value else "")


def options(command):
    lines = [".Bl -tag -width Ds"]
    for option in command.options:
        lines.append(".It " + " , ".join(flag(option, name) for name in option.names))
        lines.append(explanation(option))
    return "\n".join(lines + [".El"])


def explanation(argument):
    told = argument.help or "See above."
    named = [value for value in argument.values if value not in told]
    if named:
        told += f" One of {', '.join(argument.values)}."
    if argument.default and "default" not in told:
        told += f" The default is {argument.default}."
    return mdoc.text(told)


def command_parts(command):
    """A heading, a description, and the command's own options; the standard ones are described once."""
    words = " ".join(command.path.split()[1:])
    yield f".Ss {words}"
    own = [option for option in command.options if option.name.strip("-") not in commands.STANDARD]
    yield mdoc.text(command.abstract)
    if command.discussion:
        yield ".Pp\n" + mdoc.paragraphs(command.discussion)
    told = [argument for argument in command.positionals if argument.help]
    if own or told:
        command.options = own
        rows = [f".It Ar {mdoc.word(argument.value)}\n{explanation(argument)}" for argument in told]
        yield options(command).replace(".Bl -tag -width Ds", "\n".join([".Bl -tag -width Ds"] + rows), 1)
    for below in command.commands:
        yield from command_parts(below)


def file_page(name, section, source, extra, date, about, *titles):
    with open(source, encoding="utf-8") as file:
        markdown = file.read()
    _, sections = read_extra(extra)
    if titles:
        missing = [title for title in titles if not re.search(rf"^#+ {re.escape(title)}$", markdown, re.MULTILINE)]
        if missing:
            raise SystemExit(f"{source} has no section {missing[0]}")
        markdown = mdoc.sections(markdown, titles)
    return page(name, section, date, about, [".Sh DESCRIPTION", mdoc.document(markdown)], [sections])


def main():
    kind, *rest_of_line = sys.argv[1:]
    print({"program": program_page, "file": file_page}[kind](*rest_of_line), end="")


main()
