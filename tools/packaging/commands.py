"""A program's commands and options, as the program lists them: for man pages and completion."""
import json
import subprocess
from dataclasses import dataclass, field

# Commands that the parser does not know as subcommands, because their options have the same names as the program's own.
HIDDEN = {"beacon-advertise": ("play", "calibrate")}
# Options that the parser adds to every command.
STANDARD = ("version", "help")


@dataclass
class Argument:
    names: list  # with their dashes; empty for a positional one
    value: str  # what stands for its value; empty for a flag
    help: str
    values: list  # those that it takes, where they are few
    repeats: bool
    optional: bool
    default: str

    @property
    def name(self):
        """The long name, if there is one."""
        return max(self.names, key=len) if self.names else ""


@dataclass
class Command:
    path: str  # beaconctl content list
    abstract: str
    discussion: str
    options: list = field(default_factory=list)
    positionals: list = field(default_factory=list)
    commands: list = field(default_factory=list)

    @property
    def name(self):
        return self.path.split()[-1]

    def all(self):
        """This command and everything below it."""
        yield self
        for command in self.commands:
            yield from command.all()


def load(folder, program):
    """The whole command tree of a program in a folder, including the commands of its companions."""
    root = read(folder, [program])
    for name in HIDDEN.get(program, ()):
        root.commands.append(read(folder, [program, name]))
    return root


def read(folder, words):
    result = subprocess.run(
        [f"{folder}/{words[0]}", *words[1:], "--experimental-dump-help"], stdout=subprocess.PIPE, check=True)
    return command(json.loads(result.stdout)["command"], words, folder)


def command(told, words, folder):
    found = Command(" ".join(words), told.get("abstract", ""), told.get("discussion", ""))
    for told_argument in told.get("arguments", []):
        if told_argument.get("shouldDisplay", True):
            new = argument(told_argument)
            (found.options if new.names else found.positionals).append(new)
    for below in told.get("subcommands", []):
        if below["commandName"] == "help" or not below.get("shouldDisplay", True):
            continue
        path = words + [below["commandName"]]
        found.commands.append(read(folder, path) if is_companion(below) else command(below, path, folder))
    return found


def is_companion(told):
    """Whether it passes everything on to another program, which knows more."""
    return any(a["kind"] == "positional" and a["parsingStrategy"] == "allRemainingInput" for a in told["arguments"])


def argument(told):
    names = [("-" if n["kind"] == "short" else "--") + n["name"] for n in told.get("names", [])]
    text = " ".join(filter(None, [told.get("abstract", ""), told.get("discussion", "")]))
    return Argument(
        names=names,
        value="" if told["kind"] == "flag" else told.get("valueName", "value"),
        help=text,
        values=told.get("allValues", []),
        repeats=told["isRepeating"],
        optional=told["isOptional"],
        default=told.get("defaultValue", ""),
    )
