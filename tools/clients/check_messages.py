#!/usr/bin/env python3
"""check_messages.py PROGRAMS MOSQUITTO DOCUMENT [SECONDS]: compares messages at a real broker with docs/asyncapi.yaml.

A daemon of a fleet on the emulated air and a resolver publish for some seconds. Every message must fit the schema of the
channel that its topic belongs to. A topic without a channel fails, and a channel without a message, unless it says why
(x-not-in-tests).
"""
import json
import re
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import paho.mqtt.client as mqtt
import yaml
from jsonschema import Draft202012Validator, FormatChecker

from programs import Checks, Program, free_port, wait_until

UUID = "7a0e5f3c-2d81-4b6a-9c47-51e8b3d2f096"
checks = Checks()


class Channel:
    def __init__(self, name, description, document):
        self.name = name
        self.address = description["address"]
        self.exception = description.get("x-not-in-tests")
        self.is_retained = description.get("x-retained", False)
        parts = [re.escape(part) for part in re.split(r"\{\w+\}", self.address)]
        self.pattern = re.compile("[^/]+".join(parts))
        schemas = [resolve(document, one["$ref"])["payload"] for one in description["messages"].values()]
        self.is_text = all(schema.get("type") == "string" for schema in schemas)
        self.validator = Draft202012Validator(
            {"anyOf": schemas, "components": document["components"]}, format_checker=FormatChecker())
        self.seen = 0
        self.problems = []

    def take(self, topic, payload, is_retained):
        self.seen += 1
        if is_retained and not self.is_retained:
            self.problems.append(f"{topic} is retained")
        # Clears what is retained.
        if self.is_retained and not payload:
            return
        try:
            value = payload.decode() if self.is_text else json.loads(payload)
        except ValueError as error:
            self.problems.append(f"{topic}: {error}")
            return
        error = next(self.validator.iter_errors(value), None)
        if error is not None:
            for error in error.context or [error]:
                place = "/".join(map(str, error.absolute_path))
                self.problems.append(f"{topic}: {place}: {error.message[:300]}")


def resolve(document, reference):
    value = document
    for part in reference.removeprefix("#/").split("/"):
        value = value[part.replace("~1", "/").replace("~0", "~")]
    return value


def references(value):
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from references(one)


def problems_of_document(document):
    """What AsyncAPI 3.0 demands of the objects that are used here, and nothing else: no package has its meta-schema."""
    if document.get("asyncapi") != "3.0.0" or not {"title", "version"} <= document.get("info", {}).keys():
        yield "it needs asyncapi: 3.0.0, and info with title and version"
    known = {"asyncapi", "id", "info", "servers", "defaultContentType", "channels", "operations", "components"}
    yield from (f"unknown key {key}" for key in document.keys() - known if not key.startswith("x-"))
    for reference in references(document):
        try:
            resolve(document, reference)
        except (KeyError, TypeError):
            yield f"{reference} leads nowhere"
    for name, channel in document["channels"].items():
        if set(re.findall(r"\{(\w+)\}", channel["address"])) != set(channel.get("parameters", {})):
            yield f"{name}: parameters differ from those in its address"
        if not channel.get("messages"):
            yield f"{name} has no messages"
    used = set()
    for name, operation in document["operations"].items():
        if operation.get("action") not in ("send", "receive"):
            yield f"{name}: neither sends nor receives"
        used.add(operation["channel"]["$ref"].rsplit("/", 1)[1])
    yield from (f"{name} has no operation" for name in document["channels"].keys() - used)
    for name, message in document["components"]["messages"].items():
        try:
            Draft202012Validator.check_schema(message["payload"])
        except Exception as error:  # Whatever is wrong with the schema.
            yield f"{name}: {error}"


def collect(programs, mosquitto, seconds, taken):
    """Runs everything, and calls `taken` with each message."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        port = free_port()
        (folder / "mosquitto.conf").write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\nuser root\n")
        (folder / "beacond.yaml").write_text(f"""\
sources: [sim]
mqtt: {{url: "mqtt://127.0.0.1:{port}", host: pi-1, unnamed_beacons: true, home_assistant: homeassistant}}
fleet: {{room: Hall 1, floor: 0, position: [3.5, 2]}}
regions: [{{name: Hall, uuid: {UUID}, dwell_s: 1}}]
beacons: {{"1.1": Steam Engine}}
""")
        (folder / "plan.yaml").write_text("rooms: [{room: Hall 1, from: [0, 0], to: [8, 6]}]\n")
        running = [Program(folder / "mosquitto.log", mosquitto, "-c", folder / "mosquitto.conf")]
        client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
        client.on_message = lambda _client, _data, message: taken(message.topic, message.payload, message.retain)
        try:
            wait_until("the broker", lambda: connects(client, port))
            client.subscribe("#", 1)
            client.loop_start()
            broker = ["--mqtt", f"mqtt://127.0.0.1:{port}"]
            running.append(Program(folder / "fleet.log", programs / "beacon-fleet", "run", *broker, "--name", "one",
                                   "--home-assistant", "homeassistant", "--names", folder / "beacond.yaml"))
            daemon = [programs / "beacond", "--config", folder / "beacond.yaml", "--state-dir", folder / "state",
                      "--socket", folder / "control.sock"]
            running.append(Program(folder / "log", *daemon))
            time.sleep(5)
            subprocess.run([programs / "beacon-fleet", "plan", folder / "plan.yaml", *broker], check=True, timeout=30,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(max(0, seconds - 5))
            for program in reversed(running[1:]):
                status = program.stop()
                checks.expect(f"{program.process.args[0].rsplit('/', 1)[1]} ends with status 0",
                              "" if status == 0 else program.log.read_text())
            time.sleep(0.5)
        finally:
            client.loop_stop()
            for program in reversed(running):
                program.stop()


def connects(client, port):
    try:
        return client.connect("127.0.0.1", port) == 0
    except OSError:
        return False


def main():
    programs, mosquitto, path = map(Path, sys.argv[1:4])
    seconds = float(sys.argv[4]) if len(sys.argv) > 4 else 20
    document = yaml.safe_load(path.read_text())
    checks.expect("asyncapi.yaml is an AsyncAPI document", "\n".join(problems_of_document(document)))
    channels = [Channel(name, one, document) for name, one in document["channels"].items()]
    unknown, lock = set(), threading.Lock()

    def take(topic, payload, is_retained):
        with lock:
            fitting = [one for one in channels if one.pattern.fullmatch(topic)]
            if not fitting:
                unknown.add(topic)
            for one in fitting[:1]:
                one.take(topic, payload, is_retained)

    collect(programs, mosquitto, seconds, take)
    checks.expect("each topic has a channel", "\n".join(sorted(unknown)))
    for one in channels:
        problems = list(dict.fromkeys(one.problems))[:10]
        if not one.seen and not one.exception:
            problems.append("no message came")
        if not one.seen and one.exception:
            print(f"        no message at {one.address}: {one.exception}")
            continue
        checks.expect(f"messages at {one.address} are as described ({one.seen})", "\n".join(problems))
    checks.end()


if __name__ == "__main__":
    main()
