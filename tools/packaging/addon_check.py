"""Checks the Home Assistant add-on in a folder by the published rules: addon_check.py FOLDER VERSION

The Supervisor ignores keys that it does not know, and refuses an add-on with a wrong value. These are its rules for the
keys that this add-on uses, as its documentation has them (developers.home-assistant.io, "App configuration"). Any other
key is an error here.
"""

import pathlib
import re
import struct
import sys

import yaml

CAPABILITIES = {"BPF", "CHECKPOINT_RESTORE", "DAC_READ_SEARCH", "IPC_LOCK", "NET_ADMIN", "NET_RAW", "PERFMON", "SYS_ADMIN",
                "SYS_MODULE", "SYS_NICE", "SYS_PTRACE", "SYS_RAWIO", "SYS_RESOURCE", "SYS_TIME"}
FOLDERS = {"homeassistant_config", "addon_config", "ssl", "addons", "backup", "share", "media", "all_addon_configs", "data"}
# Without what many Supervisors refuse: a minus sign in a range, and a text's shortest and longest length.
NUMBER = r"[0-9.]*"
TYPE = re.compile(
    rf"(bool|email|url|port|str|password|(int|float)(\({NUMBER},{NUMBER}\))?|match\(.+\)"
    r"|list\(.+\)|device(\(subsystem=[a-z]+\))?)\??")
NEEDED = {"name", "version", "slug", "description", "arch"}


def is_text(value):
    return isinstance(value, str) and value != ""


def is_list(of):
    return lambda value: isinstance(value, list) and all(map(of, value))


KEYS = {
    "name": is_text,
    "version": is_text,
    "description": is_text,
    "slug": lambda value: is_text(value) and re.fullmatch(r"[-_.A-Za-z0-9]+", value),
    "arch": lambda value: is_list({"amd64", "aarch64"}.__contains__)(value) and value,
    "host_network": lambda value: value is True,
    "host_dbus": lambda value: value is True,
    "privileged": is_list(CAPABILITIES.__contains__),
    "services": is_list(lambda value: re.fullmatch(r"(mqtt|mysql):(provide|want|need)", value)),
    "map": is_list(lambda value: set(value) <= {"type", "read_only", "path"} and value["type"] in FOLDERS),
    "backup_exclude": is_list(is_text),
    "options": lambda value: isinstance(value, dict),
    "schema": lambda value: isinstance(value, dict),
}


def schema_mistakes(schema, place, depth=0):
    for key, kind in schema.items():
        if isinstance(kind, list):
            if len(kind) != 1:
                yield f"{place}.{key}: a list has one kind of element"
                continue
            kind = kind[0]
        if isinstance(kind, dict):
            if depth == 2:
                yield f"{place}.{key}: two levels at most"
            yield from schema_mistakes(kind, f"{place}.{key}", depth + 1)
        elif not isinstance(kind, str) or not TYPE.fullmatch(kind):
            yield f"{place}.{key}: {kind} is no type"


def option_mistakes(options, schema):
    for key in options:
        if key not in schema:
            yield f"options.{key} is not in the schema"
        elif isinstance(schema[key], str) and schema[key].endswith("?"):
            yield f"options.{key} has a default, and can then not be left out"
    for key, kind in schema.items():
        if isinstance(kind, str) and not kind.endswith("?") and key not in options:
            yield f"schema.{key} is needed, and has no default"


def translation_mistakes(shown, schema, place):
    for key, entry in shown.items():
        kind = schema.get(key)
        kind = kind[0] if isinstance(kind, list) else kind
        if kind is None:
            yield f"{place}.{key}: there is no such option"
        elif not set(entry) <= {"name", "description", "fields"} or not is_text(entry.get("name")):
            yield f"{place}.{key} has a name, and may have a description and fields"
        elif isinstance(kind, dict):
            yield from translation_mistakes(entry.get("fields", {}), kind, f"{place}.{key}")
    for key in schema:
        if key not in shown and place.endswith("configuration"):
            yield f"{place}: {key} is missing"


def picture_size(file):
    start = file.read_bytes()[:24]
    return struct.unpack(">II", start[16:24]) if start[:8] == b"\x89PNG\r\n\x1a\n" else None


def mistakes(folder, version):
    config = yaml.safe_load((folder / "config.yaml").read_text())
    for key in NEEDED - set(config):
        yield f"{key} is missing"
    for key, value in config.items():
        if key not in KEYS:
            yield f"{key} is no key of an add-on, or none that this check knows"
        elif not KEYS[key](value):
            yield f"{key}: {value} is not allowed"
    if config.get("version") != version:
        yield f"the version is {config.get('version')}, and not {version} as in CHANGELOG.md"
    schema = config.get("schema", {})
    yield from schema_mistakes(schema, "schema")
    yield from option_mistakes(config.get("options", {}), schema)
    for file in (folder / "translations").glob("*.yaml"):
        yield from translation_mistakes(yaml.safe_load(file.read_text())["configuration"], schema, f"{file.name}: configuration")
    for key in schema:
        if f"`{key}`" not in (folder / "DOCS.md").read_text():
            yield f"DOCS.md does not explain {key}"
    if f"profile {config.get('slug')} " not in (folder / "apparmor.txt").read_text():
        yield "apparmor.txt: the profile is not called as the slug"
    width, height = picture_size(folder / "icon.png") or (0, 1)
    if width != height:
        yield "icon.png is not a square PNG"
    if not picture_size(folder / "logo.png"):
        yield "logo.png is no PNG"
    for name in ("README.md", "CHANGELOG.md", "Dockerfile"):
        if not (folder / name).is_file():
            yield f"{name} is missing"
    repository = yaml.safe_load((folder.parent / "repository.yaml").read_text())
    if not is_text(repository.get("name")) or not set(repository) <= {"name", "url", "maintainer"}:
        yield "repository.yaml has a name, and may have url and maintainer"


if __name__ == "__main__":
    found = list(mistakes(pathlib.Path(sys.argv[1]), sys.argv[2]))
    print("\n".join(found))
    sys.exit(bool(found))
