"""Uses every route of a daemon by the generated Python client: client_checks.py BEACOND SITE README. The sum comes last.

SITE is the folder of a content site, which is served on the loopback address; README is the client's, whose first example is
run.
"""

import asyncio
import contextlib
import functools
import http.server
import importlib
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

import httpx
from beacond_client import Client
from beacond_client.events import Refused, events
from beacond_client.models import Refusal

BEACON = {"uuid": "7a0e5f3c-2d81-4b6a-9c47-51e8b3d2f096", "major": 1, "minor": 1}
# What each operation is called with, and the status that is right.
CALLS = {
    "get": ({}, 200),
    "get_healthz": ({}, 200),
    "get_metrics": ({}, 200),
    "get_page_file": ({"file": "page.css"}, 200),
    "get_plain": ({}, 200),
    "get_v1": ({}, 200),
    "get_v1_content": ({}, 200),
    "get_v1_content_assets_sha256": ({"sha256": ""}, 200),
    "post_v1_content_prune": ({}, 200),
    "post_v1_content_sync": ({}, 200),
    "get_v1_content_uncategorized": ({}, 200),
    "post_v1_content_verify": ({}, 200),
    "get_v1_content_uuid_major_minor": (BEACON, 200),
    "get_v1_explain": ({"beacon": "1.1"}, 200),
    "get_v1_explain_uuid_major_minor": (BEACON, 200),
    "get_v1_health": ({}, 200),
    "get_v1_history": ({}, 200),
    "get_v1_openapi_json": ({}, 200),
    "get_v1_ranging": ({}, 200),
    "get_v1_regions": ({}, 200),
    "post_v1_reload": ({}, 200),
    "get_v1_sightings": ({"beacon": "1.1"}, 200),
    "get_v1_status": ({}, 200),
}
# Streams, which do not end by themselves: the first is for `events`, the second is read for its first lines.
STREAMS = {"get_v1_events", "get_v1_sightings"}

failures = []
passed = 0


def check(what: str, is_right: bool, details: object = "") -> None:
    global passed
    if is_right:
        passed += 1
    else:
        failures.append(what)
    print(f"  {'ok  ' if is_right else 'FAIL'}  {what}" + ("" if is_right else f": {details}"), flush=True)


class Site(http.server.ThreadingHTTPServer):
    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    def __init__(self, folder: str) -> None:
        super().__init__(("127.0.0.1", 0), functools.partial(self.Handler, directory=folder))
        self.url = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Daemon:
    def __init__(self, program: str, folder: pathlib.Path, site: Site) -> None:
        self.program, self.folder, self.socket = program, folder, folder / "control.sock"
        (folder / "beacond.yaml").write_text(f"sources: [sim]\ncontent: {{base_url: '{site.url}'}}\n")

    def start(self) -> None:
        with open(self.folder / "beacond.log", "ab") as log:
            self.process = subprocess.Popen(
                [self.program, "--config", self.folder / "beacond.yaml", "--state-dir", self.folder / "state",
                 "--socket", self.socket], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                with httpx.Client(transport=httpx.HTTPTransport(uds=str(self.socket)), base_url="http://localhost") as client:
                    if client.get("/v1/ranging").json()["beacons"]:
                        return
            except (httpx.TransportError, KeyError, ValueError):
                pass
            time.sleep(0.1)
        sys.exit(f"client_checks.py: beacond does not rank; it said: {(self.folder / 'beacond.log').read_text()}")

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(60)


def use_routes(daemon: Daemon) -> None:
    transport = httpx.HTTPTransport(uds=str(daemon.socket))
    client = Client(base_url="http://localhost", httpx_args={"transport": transport}, timeout=httpx.Timeout(60))
    description = client.get_httpx_client().get("/v1/openapi.json").json()
    operations = {
        operation["operationId"]: operation for path in description["paths"].values() for operation in path.values()}
    unknown = set(operations) ^ (set(CALLS) | STREAMS)
    check("every route of the description is used here, and no other", not unknown, unknown)
    # Once, so that all of it is on the disk; then an asset is asked for that is there.
    client.get_httpx_client().post("/v1/content/sync")
    manifest = client.get_httpx_client().get("/v1/content/{uuid}/{major}/{minor}".format(**BEACON)).json()
    CALLS["get_v1_content_assets_sha256"][0]["sha256"] = manifest["manifest"]["images"][0]["asset"]["sha256"]
    for name, (arguments, status) in CALLS.items():
        if name in STREAMS:
            continue
        module = importlib.import_module(f"beacond_client.api.default.{name}")
        answer = module.sync_detailed(client=client, **arguments)
        check(f"{name} answers {status}", answer.status_code == status, (answer.status_code, answer.content[:200]))
        is_json = answer.headers.get("content-type", "").startswith("application/json")
        # What is JSON comes as an object of the client's, and not as a dictionary.
        if is_json and not (name.startswith("get_v1_openapi") and status == 200):
            kind = type(answer.parsed).__module__
            check(f"{name} gives {type(answer.parsed).__name__}",
                  kind.startswith("beacond_client.models") and isinstance(answer.parsed, Refusal) == (status >= 400), answer.parsed)
    none = importlib.import_module("beacond_client.api.default.get_v1_content_uuid_major_minor").sync(
        client=client, uuid=BEACON["uuid"], major=9, minor=9)
    check("a beacon without content is refused with the reason", isinstance(none, Refusal) and none.error, none)
    arguments, _ = CALLS["get_v1_sightings"]
    with client.get_httpx_client().stream("GET", "/v1/sightings?" + urllib.parse.urlencode(arguments)) as lines:
        first = json.loads(next(lines.iter_lines()))
    check("get_v1_sightings sends lines of JSON", first["minor"] == 1, first)


def run_example(daemon: Daemon, document: str) -> None:
    """The first example of the client's documentation, with this daemon's socket."""
    example = pathlib.Path(document).read_text().split("```python\n")[1].split("```")[0]
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(example.replace("/run/beacond/control.sock", str(daemon.socket)), {})
    check("the example in its documentation ranks beacons", output.getvalue().startswith("1 "), output.getvalue())


async def follow(daemon: Daemon) -> None:
    numbers, kinds, states = [], set(), 0

    async def read() -> None:
        nonlocal states
        async for event in events(f"unix:{daemon.socket}", states=True, longest_pause=1):
            if event.number is None:
                states += event.kind == "ranging"
            else:
                numbers.append(event.number)
                kinds.add(event.kind)

    async def wait_for(count: int) -> None:
        async with asyncio.timeout(120):
            while len(numbers) < count:
                await asyncio.sleep(0.1)

    reader = asyncio.create_task(read())
    await wait_for(1)
    check("states come with the events", states > 0)
    await asyncio.to_thread(daemon.stop)
    before = len(numbers)
    await asyncio.to_thread(daemon.start)
    await wait_for(before + 1)
    reader.cancel()
    check("events go on after a restart of the daemon, in order and none twice",
          numbers == sorted(set(numbers)) and bool(kinds & {"entered", "nearest", "proximity", "source"}), (numbers, kinds))


async def refused(site: Site) -> None:
    try:
        async for _ in events(site.url):
            break
        check("what is no daemon is refused, and not asked again", False, "an event came")
    except Refused as error:
        check("what is no daemon is refused, and not asked again", str(error).startswith("404"), error)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        site = Site(sys.argv[2])
        daemon = Daemon(sys.argv[1], pathlib.Path(folder), site)
        daemon.start()
        try:
            use_routes(daemon)
            run_example(daemon, sys.argv[3])
            asyncio.run(follow(daemon))
            asyncio.run(refused(site))
        finally:
            daemon.stop()
    print(f"{passed} passed, {len(failures)} failed")
    sys.exit(bool(failures))


main()
