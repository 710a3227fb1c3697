#!/usr/bin/env python3
"""completion.py bash|zsh|fish FOLDER PROGRAM: a completion script for a program in FOLDER, on standard output.

The parser can write such scripts too, but does not know the commands of a companion program (beaconctl content and
others), files, and sources.
"""
import shlex
import sys

import commands

# The kind of a value, by its placeholder in the help.
FILES = ("file", "directory", "path", "scene", "socket", "result")
ADAPTERS = "$(cd /sys/class/bluetooth 2>/dev/null && printf '%s ' hci*[0-9])"
SOURCES = "auto sim file: bluez: h4:tcp: h4:unix: h4:serial: sim:"


def kind(argument):
    """Returns words, files, source, adapter or nothing."""
    value = argument.value.lower()
    if argument.values:
        return "words"
    if value == "source":
        return "source"
    if value == "hcin":
        return "adapter"
    return "files" if value.split(".")[0] in FILES else ""


def function(program):
    return "_" + program.replace("-", "_")


# bash

BASH = """\
# bash completion for {program}; generated from the program's own description.
{function}() {{
    local cur prev words cword
    if declare -F _init_completion >/dev/null; then
        _init_completion -n : || return
    else
        cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD - 1]}} words=("${{COMP_WORDS[@]}}") cword=$COMP_CWORD
    fi
    local command={program} i
    for ((i = 1; i < cword; i++)); do
        case "$command ${{words[i]}}" in
        {paths}) command+=" ${{words[i]}}" ;;
        esac
    done
    local adapters
    adapters={adapters}
    case "$command $prev" in
{values}
    esac
    case $command in
{words}
    esac
}}

{function}_words() {{
    mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur")
    # What ends in a colon goes on.
    [[ ${{#COMPREPLY[@]}} != 1 || ${{COMPREPLY[0]}} != *: ]] || compopt -o nospace 2>/dev/null
    ! declare -F __ltrim_colon_completions >/dev/null || __ltrim_colon_completions "$cur"
}}

{function}_files() {{
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
}}

complete -F {function} {program}
"""


def bash(root):
    name = function(root.name)
    commands_below = [command for command in root.all() if command is not root]
    paths = "|".join(f'"{command.path}"' for command in commands_below) or '""'
    values, words = [], []
    for command in root.all():
        for option in command.options:
            if option.value:
                cases = " | ".join(f'"{command.path} {flag}"' for flag in option.names)
                values.append(f"    {cases}) {bash_value(name, option)}; return ;;")
        files = any(kind(argument) == "files" for argument in command.positionals)
        offered = [below.name for below in command.commands]
        offered += [value for argument in command.positionals for value in argument.values]
        flags = [flag for option in command.options for flag in option.names if flag.startswith("--")]
        otherwise = f"{name}_files" if files and not offered else f"{name}_words {shlex.quote(' '.join(offered))}"
        words.append(f'    "{command.path}") if [[ $cur == -* ]]; then {name}_words {shlex.quote(" ".join(flags))}; '
                     f"else {otherwise}; fi ;;")
    return BASH.format(program=root.name, function=name, paths=paths, values="\n".join(values), words="\n".join(words),
                       adapters=ADAPTERS)


def bash_value(name, option):
    return {
        "words": f"{name}_words {shlex.quote(' '.join(option.values))}",
        "files": f"{name}_files",
        "source": f'{name}_words "{SOURCES} $adapters"',
        "adapter": f'{name}_words "$adapters"',
        "": ":",
    }[kind(option)]


# zsh

ZSH = """\
#compdef {program}
# Generated from the program's own description.

{function}__adapter() {{
    compadd -- /sys/class/bluetooth/hci*[0-9](N:t)
}}

{function}__source() {{
    compadd -S '' -- {open}
    compadd -- {whole} /sys/class/bluetooth/hci*[0-9](N:t)
}}
"""


def zsh(root):
    sources = SOURCES.split()
    lines = [ZSH.format(program=root.name, function=function(root.name),
                        open=" ".join(source for source in sources if source.endswith(":")),
                        whole=" ".join(source for source in sources if not source.endswith(":")))]
    for command in root.all():
        lines += zsh_function(command, function(root.name))
    return "\n".join(lines + [f'{zsh_name(root)} "$@"', ""])


def zsh_name(command):
    return "_" + command.path.replace(" ", "_").replace("-", "_")


def zsh_function(command, program):
    specs = [zsh_option(option, program) for option in command.options]
    specs += [zsh_positional(argument, program) for argument in command.positionals if not command.commands]
    if command.commands:
        specs += ["'1: :->command'", "'*:: :->rest'"]
    lines = [f"{zsh_name(command)}() {{", "    local context state state_descr line ret=1", "    typeset -A opt_args",
             "    _arguments -C -s -S \\", *(f"        {spec} \\" for spec in specs), "        && ret=0"]
    if command.commands:
        rows = [f"            {shlex.quote(zsh_text(below.name) + ':' + below.abstract)}" for below in command.commands]
        cases = [f"        {below.name}) {zsh_name(below)} && ret=0 ;;" for below in command.commands]
        lines += ["    case $state in", "    command)", "        local -a commands=(", *rows, "        )",
                  "        _describe command commands && ret=0 ;;", "    rest)", "        case $words[1] in", *cases,
                  "        esac ;;", "    esac"]
    return lines + ["    return ret", "}", ""]


def zsh_text(words):
    for sign in "\\:[]":
        words = words.replace(sign, "\\" + sign)
    return words


def zsh_option(option, program):
    first = "*" if option.repeats else "(" + " ".join(option.names) + ")"
    told = f"[{zsh_text(short(option.help))}]"
    value = f":{zsh_text(option.value)}:{zsh_value(option, program)}" if option.value else ""
    return " ".join(shlex.quote(first + flag + told + value) for flag in option.names)


def zsh_positional(argument, program):
    return shlex.quote(("*" if argument.repeats else "") + f":{zsh_text(argument.value)}:{zsh_value(argument, program)}")


def zsh_value(argument, program):
    found = kind(argument)
    if found == "words":
        return "(" + " ".join(argument.values) + ")"
    return {"files": "_files", "": " "}.get(found, f"{program}__{found}")


# fish

FISH = """\
# fish completion for {program}; generated from the program's own description.
function _{function}_at
    set -l command {program}
    for word in (commandline -opc)[2..]
        if contains -- "$command $word" {paths}
            set command "$command $word"
        end
    end
    test "$command" = "$argv"
end

complete -c {program} -f
"""


def fish(root):
    name = function(root.name)
    paths = " ".join(shlex.quote(command.path) for command in root.all() if command is not root) or "''"
    lines = [FISH.format(program=root.name, function=name, paths=paths)]
    for command in root.all():
        at = f"complete -c {root.name} -n {shlex.quote(f'_{name}_at {command.path}')}"
        for below in command.commands:
            lines.append(f"{at} -a {below.name} -d {fish_text(below.abstract)}")
        for option in command.options:
            flags = " ".join(("-l " if flag.startswith("--") else "-s ") + flag.lstrip("-") for flag in option.names)
            lines.append(f"{at} {flags}{fish_value(option)} -d {fish_text(option.help)}")
        if any(kind(argument) == "files" for argument in command.positionals):
            lines.append(f"{at} -F")
    return "\n".join(lines) + "\n"


def fish_text(words):
    return "'" + short(words).replace("\\", "\\\\").replace("'", "\\'") + "'"


def fish_value(option):
    if not option.value:
        return ""
    adapters = "(path basename /sys/class/bluetooth/hci*)"
    return {
        "words": f" -xa '{' '.join(option.values)}'",
        "files": " -rF",
        "source": f" -xa '{SOURCES} {adapters}'",
        "adapter": f" -xa '{adapters}'",
        "": " -x",
    }[kind(option)]


def short(words):
    """The first sentence."""
    return words.split(". ")[0].rstrip(".")


def main():
    shell, folder, program = sys.argv[1:]
    print({"bash": bash, "zsh": zsh, "fish": fish}[shell](commands.load(folder, program)), end="")


main()
