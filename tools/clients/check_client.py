#!/usr/bin/env python3
"""check_client.py PROGRAMS SITE EXAMPLE: uses the Python client with a real daemon.

PROGRAMS is the folder of the programs, SITE a content site's folder, EXAMPLE the example of docs/clients.md. Each
operation of the daemon's OpenAPI document is called once; one that has no call here fails.
"""
import asyncio
import importlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import httpx
from beacond_client import AuthenticatedClient, Client, models
from beacond_client import events as stream
from beacond_client.api import default as operations
from beacond_client.local import local_client

from programs import Checks, Program, free_port, serve_folder, wait_until

UUID, MAJOR, MINOR = "7a0e5f3c-2d81-4b6a-9c47-51e8b3d2f096", 1, 1
# The name has a space, which clients encode as a plus.
NAME = "Steam Engine"
TOKEN = "a-token-for-tests"
checks = Checks()


def operation(name):
    return importlib.import_module(f"{operations.__name__}.{name}")


class Daemon:
    def __init__(self, programs, folder, site):
        self.folder = Path(folder)
        self.socket = self.folder / "control.sock"
        self.port = free_port()
        self.program = programs / "beacond"
        (self.folder / "token").write_text(TOKEN)
        (self.folder / "beacond.yaml").write_text(f"""\
sources: [sim]
content: {{base_url: "{site}", prefetch: everything}}
http: {{listen: {self.port}, token_file: "{self.folder}/token"}}
regions: [{{name: Hall, uuid: {UUID}, dwell_s: 1}}]
beacons: {{{UUID}/{MAJOR}/{MINOR}: {NAME}}}
""")
        self.start()

    def start(self):
        self.running = Program(self.folder / "log", self.program, "--config", self.folder / "beacond.yaml",
                               "--state-dir", self.folder / "state", "--socket", self.socket)

    def wait(self):
        transport = httpx.HTTPTransport(uds=str(self.socket))
        with httpx.Client(transport=transport, base_url="http://localhost") as client:
            def is_ranking():
                try:
                    return client.get("/v1/ranging").json().get("beacons")
                except (httpx.TransportError, ValueError):
                    return False
            wait_until("the daemon ranks beacons", is_ranking)
            return client.get("/v1/openapi.json").json()


# By operation: arguments, and the type of the answer. Text and files have no type in the client.
CALLS = {
    "get": ({}, str),
    "get_healthz": ({}, "Wellbeing"),
    "get_metrics": ({}, str),
    "get_page_file": ({"file": "actions.js"}, bytes),
    "get_plain": ({}, str),
    "get_v1": ({}, "Routes"),
    "get_v1_content": ({}, "ContentList"),
    "get_v1_content_uncategorized": ({}, "StoredContent"),
    "get_v1_content_uuid_major_minor": ({"uuid": UUID, "major": MAJOR, "minor": MINOR}, "StoredContent"),
    "get_v1_explain": ({"beacon": NAME}, "Explanation"),
    "get_v1_explain_uuid_major_minor": ({"uuid": UUID, "major": MAJOR, "minor": MINOR}, "Explanation"),
    "get_v1_health": ({}, "Health"),
    "get_v1_history": ({"since": "1h", "format_": "json"}, "Report"),
    "get_v1_openapi_json": ({}, "GetV1OpenapiJsonResponse200"),
    "get_v1_ranging": ({"beacon": [UUID, NAME]}, "Ranking"),
    "get_v1_regions": ({}, "Regions"),
    "get_v1_status": ({}, "Status"),
    "post_v1_content_sync": ({}, str),
    "get_v1_content_assets_sha256": (None, bytes),
    "post_v1_content_verify": ({"dry_run": "1"}, "Verification"),
    "post_v1_content_prune": ({}, "Removal"),
    "post_v1_reload": ({}, "Reload"),
}
STREAMS = {"get_v1_events", "get_v1_sightings"}

# Requests that are refused, and with which status.
REFUSALS = [
    ("get_v1_explain_uuid_major_minor", {"uuid": UUID, "major": MAJOR, "minor": 999}, 404),
    ("get_v1_explain", {}, 400),
    ("get_v1_ranging", {"beacon": ["No Such Beacon"]}, 404),
    ("get_v1_content_assets_sha256", {"sha256": "0" * 64}, 404),
    ("get_v1_content_assets_sha256", {"sha256": "zz"}, 400),
]


def check_operations(client, document):
    names = {one["operationId"] for path in document["paths"].values() for one in path.values()}
    known = set(CALLS) | STREAMS
    checks.expect("each operation of the document has a call here", sorted(names ^ known))
    for name, (arguments, form) in CALLS.items():
        checks.expect(f"{name} answers with {form if isinstance(form, str) else form.__name__}",
                      problem_of_call(client, name, arguments, form))


def first_asset(client):
    stored = operation("get_v1_content_uuid_major_minor").sync(UUID, MAJOR, MINOR, client=client)
    return next(hashes(stored.manifest.to_dict()))


def hashes(value):
    if isinstance(value, dict):
        if "sha256" in value and value.get("url"):
            yield value["sha256"]
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from hashes(one)


def problem_of_call(client, name, arguments, form):
    try:
        if arguments is None:
            arguments = {"sha256": first_asset(client), "type_": "image/png"}
        answer = operation(name).sync_detailed(**arguments, client=client)
    except Exception as error:  # Whatever it is, it is what this check reports.
        return f"{type(error).__name__}: {error}"
    wanted = getattr(models, form) if isinstance(form, str) else form
    if answer.status_code not in (200, 206):
        return f"status {answer.status_code}: {answer.content[:300]!r}"
    if not isinstance(answer.parsed, wanted):
        return f"{type(answer.parsed).__name__}"
    if hasattr(wanted, "from_dict") and wanted.from_dict(answer.parsed.to_dict()) != answer.parsed:
        return "it differs after it was written and read again"
    return ""


def check_refusals(client, port):
    for name, arguments, status in REFUSALS:
        answer = operation(name).sync_detailed(**arguments, client=client)
        is_right = answer.status_code == status and isinstance(answer.parsed, models.Refusal) and answer.parsed.what_to_do
        checks.expect(f"{name} is refused with {status}, and says what to do",
                      "" if is_right else f"{answer.status_code} {answer.parsed}")
    address = f"http://127.0.0.1:{port}"
    for what, other, name, status in [
        ("without a token", Client(address), "get_v1_status", 401),
        ("to change something over TCP", AuthenticatedClient(address, TOKEN), "post_v1_reload", 403),
        ("with a token", AuthenticatedClient(address, TOKEN), "get_v1_status", 200),
    ]:
        answer = operation(name).sync_detailed(client=other)
        is_right = answer.status_code == status and isinstance(answer.parsed, models.Refusal) == (status != 200)
        checks.expect(f"a request {what} gets {status}", "" if is_right else f"{answer.status_code} {answer.parsed}")


async def check_streams(daemon, client):
    received = []
    sighting = await asyncio.wait_for(anext(stream.sightings(client, [UUID])), 20)
    checks.expect("sightings arrive", "" if sighting["uuid"] == UUID else sighting)
    tcp = AuthenticatedClient(f"http://127.0.0.1:{daemon.port}", TOKEN)
    state = await asyncio.wait_for(first(stream.events(tcp, states=True), "ranging"), 20)
    checks.expect("states arrive over TCP with a token", "" if state.id is None and state.data["beacons"] else state)
    try:
        await anext(stream.events(Client(f"http://127.0.0.1:{daemon.port}")))
        problem = "it was not refused"
    except stream.Refused as error:
        problem = "" if error.status == 401 else error
    checks.expect("an event stream without a token is refused, and ends", problem)

    async def read():
        async for event in stream.events(client, after=0):
            received.append(event)

    reader = asyncio.create_task(read())
    await until(lambda: {"entered", "nearest"} <= {event.kind for event in received})
    checks.expect("events of beacons arrive", "")
    before = await ids_kept(daemon)
    await until(lambda: max(before) <= max(event.id or 0 for event in received))
    status = await asyncio.to_thread(daemon.running.stop)
    daemon.start()
    await asyncio.to_thread(daemon.wait)
    await until(lambda: any((event.id or 0) > max(before) and event.kind == "nearest" for event in received))
    after = await ids_kept(daemon)
    await until(lambda: max(after) <= max(event.id or 0 for event in received))
    reader.cancel()
    numbers = [event.id for event in received if event.id is not None]
    lost = sorted((before | after) - set(numbers))
    checks.expect("the daemon ends with status 0", "" if status == 0 else status)
    checks.expect("after a restart of the daemon, events go on by themselves", "" if max(after) > max(before) else after)
    checks.expect("no event is lost over the restart", lost)
    checks.expect("no event comes twice, and all are in order", "" if numbers == sorted(set(numbers)) else numbers)


async def ids_kept(daemon):
    """The numbers of all events that this run of the daemon keeps, read without the client."""
    numbers = set()
    transport = httpx.AsyncHTTPTransport(uds=str(daemon.socket))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        try:
            async with client.stream("GET", "/v1/events?after=0", timeout=httpx.Timeout(10, read=0.7)) as response:
                async for line in response.aiter_lines():
                    if line.startswith("id: "):
                        numbers.add(int(line[4:]))
        except httpx.ReadTimeout:
            pass
    return numbers


async def first(events, kind):
    async for event in events:
        if event.kind == kind:
            return event
    return None


async def until(condition, seconds=30):
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.05)


async def check_faults():
    """A server that answers as a script says: what the daemon seldom does."""
    asked = []
    script = [
        b"HTTP/1.1 503 Busy\r\nRetry-After: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
        b"retry: 10\n\n: alive\n\nid: 6\r\nevent: nearest\r\ndata: {\"a\":\r\ndata: 1}\r\n\r\nid: 7\nevent: cut\ndata: {",
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
        b"id: 6\nevent: nearest\ndata: {}\n\nid: 7\nevent: whole\ndata: {}\n\n",
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
        b"event: missed\ndata: {}\n\nid: 2\nevent: low\ndata: {}\n\nid: 3\nevent: next\ndata: {}\n\n",
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\ndata: " + b"x" * 5000,
    ]

    async def answer(reader, writer):
        head = await reader.readuntil(b"\r\n\r\n")
        asked.append((asyncio.get_running_loop().time(), head.lower()))
        writer.write(script[min(len(asked), len(script)) - 1])
        try:
            await writer.drain()
        except ConnectionError:
            pass
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    client = Client(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")
    events = stream.events(client, after=5)
    one, two = await asyncio.wait_for(anext(events), 20), await asyncio.wait_for(anext(events), 20)
    checks.expect("an event over several lines arrives, one that is cut off does not",
                  "" if (one.id, one.data, two.id, two.kind) == (6, {"a": 1}, 7, "whole") else (one, two))
    checks.expect("Retry-After is kept", "" if asked[1][0] - asked[0][0] >= 0.99 else asked)
    checks.expect("the next connection asks for what comes after the last whole event",
                  "" if b"last-event-id: 6" in asked[2][1] else asked[2])
    after_loss = [await asyncio.wait_for(anext(events), 20) for _ in range(3)]
    checks.expect("after missed, events with lower numbers arrive",
                  "" if [(one.kind, one.id) for one in after_loss] == [("missed", None), ("low", 2), ("next", 3)]
                  else after_loss)
    largest, stream.LARGEST_MESSAGE = stream.LARGEST_MESSAGE, 1000
    try:
        await asyncio.wait_for(anext(events), 20)
        problem = "it was taken"
    except stream.TooLong:
        problem = ""
    stream.LARGEST_MESSAGE = largest
    checks.expect("a line without an end is refused", problem)
    checks.expect("after missed, the next connection asks for what comes after the lower number",
                  "" if b"last-event-id: 3\r" in asked[4][1] else asked[4:])
    server.close()


def check_example(daemon, example):
    environment = os.environ | {"BEACOND_CONTROL_SOCKET": str(daemon.socket)}
    result = subprocess.run([sys.executable, example, "1"], env=environment, timeout=60, capture_output=True, text=True,
                            check=False)
    is_right = result.returncode == 0 and "nearest" in result.stdout
    checks.expect("the example of docs/clients.md runs", "" if is_right else result.stdout + result.stderr)


def main():
    programs, site, example = map(Path, sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder:
        daemon = Daemon(programs, folder, serve_folder(site))
        try:
            document = daemon.wait()
            with local_client(str(daemon.socket)) as client:
                # First, so that the content is there.
                synced = operation("post_v1_content_sync").sync(client=client)
                checks.expect("a sync tells of its progress", "" if '"summary"' in str(synced) else synced)
                check_operations(client, document)
                check_refusals(client, daemon.port)
                asyncio.run(check_streams(daemon, local_client(str(daemon.socket))))
            check_example(daemon, example)
            asyncio.run(check_faults())
        finally:
            daemon.running.stop()
    checks.end()


main()
