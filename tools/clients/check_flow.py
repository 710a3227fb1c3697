#!/usr/bin/env python3
"""check_flow.py FLOW ASYNCAPI: checks a flow of Node-RED, which Debian does not have.

Its form as Node-RED exports it, with nodes that every Node-RED has; each topic and key that it reads is published by the
daemon, as docs/asyncapi.yaml says.
"""
import json
import re
import sys

import yaml

from check_messages import resolve
from programs import Checks

# What each node needs to do anything.
CORE = {
    "tab": {"label"},
    "mqtt-broker": {"broker", "port"},
    "mqtt in": {"topic", "broker", "qos", "datatype"},
    "mqtt out": {"topic", "broker"},
    "change": {"rules"},
    "switch": {"property", "propertyType", "rules", "outputs"},
    "debug": {"complete", "targetType"},
}


def problems_of_form(flow):
    ids = [node.get("id") for node in flow]
    known = {node["id"]: node["type"] for node in flow}
    yield from (f"{one} is there twice" for one in set(ids) if ids.count(one) > 1)
    for node in flow:
        place, kind = node["id"], node["type"]
        if kind not in CORE:
            yield f"{place}: {kind} is no core node"
            continue
        yield from (f"{place} has no {key}" for key in sorted(CORE[kind] - node.keys()))
        if kind in ("tab", "mqtt-broker"):
            continue
        if known.get(node.get("z")) != "tab":
            yield f"{place} is on no tab"
        if "broker" in CORE[kind] and known.get(node["broker"]) != "mqtt-broker":
            yield f"{place} has no broker"
        if not isinstance(node.get("x"), int) or not isinstance(node.get("y"), int):
            yield f"{place} has no position"
        outputs = {"debug": 0, "mqtt out": 0, "switch": len(node.get("rules", []))}.get(kind, 1)
        if len(node["wires"]) != outputs or node.get("outputs", outputs) != outputs:
            yield f"{place} has {len(node['wires'])} outputs, and needs {outputs}"
        yield from (f"{place} leads to {one}, which is not there" for wire in node["wires"] for one in wire
                    if one not in known)


def problems_of_topics(flow, document):
    """Follows the wires from each topic."""
    nodes = {node["id"]: node for node in flow}
    for node in flow:
        if node["type"] != "mqtt in":
            continue
        schemas = [resolve(document, one["$ref"])["payload"] for channel in document["channels"].values()
                   if re.sub(r"\{\w+\}", "+", channel["address"]) == node["topic"] for one in channel["messages"].values()]
        if not schemas:
            yield f"nobody publishes {node['topic']}"
            continue
        waiting = list(node["wires"][0])
        while waiting:
            follower = nodes[waiting.pop()]
            read = [follower["property"]] if follower["type"] == "switch" else [
                rule["to"] for rule in follower.get("rules", []) if rule.get("tot") == "msg"]
            properties = schemas[0]["properties"]
            for path in read:
                key = path.split(".")[1]
                values = properties.get(key, {}).get("enum")
                if key not in properties:
                    yield f"{follower['id']} reads {key}, which is not in messages of {node['topic']}"
                for rule in follower.get("rules", []):
                    if values and rule["v"] not in values:
                        yield f"{follower['id']}: {key} is never {rule['v']}"
            waiting += [one for wire in follower["wires"] for one in wire]


def main():
    checks = Checks()
    with open(sys.argv[1], encoding="utf-8") as file:
        flow = json.load(file)
    with open(sys.argv[2], encoding="utf-8") as file:
        document = yaml.safe_load(file)
    form = "\n".join(problems_of_form(flow))
    checks.expect("the flow for Node-RED has the form of an export, with core nodes only", form)
    checks.expect("the flow for Node-RED reads what is published",
                  form or "\n".join(problems_of_topics(flow, document)))
    checks.end()


main()
