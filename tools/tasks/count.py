#!/usr/bin/env python3
"""Does a curator's ten tasks in beacon-content-server and in Wagtail, and prints how many clicks and fields each needs.

    count.py PROGRAM VENDOR FOLDER

Started by tools/task-count. PROGRAM is beacon-content-server, VENDOR the third-party scripts, FOLDER is for what is made.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import hashlib
import io
import json
import os
import pathlib
import subprocess
import sys
import time
import urllib.request
import zipfile
from types import ModuleType
from typing import Any, Iterator

from PIL import Image

here = pathlib.Path(__file__).resolve().parent
sys.path.append(str(here.parent.parent / "Tests" / "Peers"))

import content_tasks  # noqa: E402
import curator_checks  # noqa: E402
import wagtail_tasks  # noqa: E402
from devtools import Browser  # noqa: E402
from hand import Hand  # noqa: E402
from ports import free_port  # noqa: E402

PASSWORD = curator_checks.PASSWORD
UUID = "7a0e5f3c-2d81-4b6a-9c47-51e8b3d2f096"
NAMES = ["Whale Skeleton", "Star Globe", "Steam Engine", "Roman Mosaic", "Amber Room", "Moon Rock", "Oil Lamp"]
TITLES = {
    "add_beacon": "add a beacon", "replace_picture": "replace a picture", "schedule": "schedule its end",
    "undo": "undo the last saving", "restore": "restore from the bin", "usage": "find where a picture is used",
    "translate": "translate a name", "preview": "preview", "roll_back": "roll back",
    "lagging": "see which devices lag",
}


def picture(number: int) -> bytes:
    octets = io.BytesIO()
    Image.effect_noise((640, 480), 20 + 10 * number).convert("RGB").save(octets, "PNG")
    return octets.getvalue()


def write_archive(file: pathlib.Path) -> None:
    """The beacons of the Wagtail site, and one more for the bin."""
    lines = [{"id": "site", "kind": "site", "body": {"title": "Museum", "languages": ["en", "de"], "takes_reports": True}}]
    with zipfile.ZipFile(file, "w") as archive:
        for number, name in enumerate(NAMES, 1):
            data = picture(number)
            digest = hashlib.sha256(data).hexdigest()
            archive.writestr(f"curation/media/{digest}", data)
            media = {"sha256": digest, "bytes": len(data), "media_type": "image/png", "name": f"{name}.png"}
            beacon = {"name": {"en": name}, "uuid": UUID, "major": 1, "minor": number if number < 7 else 70}
            image = {"beacon": f"beacon-{number}", "rank": 1, "title": {"en": name}, "width_cm": 40,
                     "picture": {"media": f"media-{number}", "alt": {"en": name, "de": name}}}
            for kind, body in [("media", media), ("beacon", beacon), ("image", image)]:
                lines.append({"id": f"{kind}-{number}", "kind": kind, "body": body})
        archive.writestr("curation/documents.jsonl", "".join(json.dumps(line) + "\n" for line in lines))


@contextlib.contextmanager
def running(command: list[str], base: str, **options: Any) -> Iterator[None]:
    """A server, from its first answer until the end of the block."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
    try:
        for _ in range(600):
            try:
                urllib.request.urlopen(base, timeout=10).close()
                break
            except OSError:
                if process.poll() is not None:
                    sys.exit(f"{command[0]} ended with {process.returncode}")
                time.sleep(0.1)
        yield
    finally:
        process.terminate()
        process.wait()


def request(base: str, method: str, path: str, token: str, body: Any = None, **fields: str) -> Any:
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json", **fields}
    with urllib.request.urlopen(urllib.request.Request(base + path, data, headers, method=method), timeout=60) as answer:
        text = answer.read()
        return json.loads(text) if text else None


def report(base: str, token: str, host: str, revision: int) -> None:
    now = datetime.datetime.now(datetime.timezone.utc)

    def text(moment: datetime.datetime) -> str:
        return moment.isoformat(timespec="seconds").replace("+00:00", "Z")

    request(base, "POST", "/v1/reports", token, {
        "format": 1, "host": host, "version": "beacond 1.0.0", "period_start": text(now - datetime.timedelta(minutes=5)),
        "period_end": text(now), "revision": revision, "complete": True, "missing": 0, "problems": [], "scanner": "ok",
        "beacons": [], "dwell": []})


async def tasks(module: ModuleType, browser: Browser, base: str, home: str, folder: pathlib.Path) -> dict[str, Any]:
    page = await browser.page(base + home, 1280, 1000)
    await module.sign_in(page, base, PASSWORD)
    results: dict[str, Any] = {}
    for task in module.TASKS:
        await page.visit(base + home)
        await asyncio.sleep(1)
        hand = Hand(page)
        hand.picture = str(folder / "new.png")
        try:
            await task(hand)
            results[task.__name__] = hand.result()
        except NotImplementedError as reason:
            results[task.__name__] = {"reason": str(reason)}
        print(f"  {TITLES[task.__name__]}: {hand.clicks} clicks, {hand.fields} fields", file=sys.stderr)
        await page.picture(str(folder / f"{module.__name__}-{task.__name__}.png"))
    return results


async def content_server(browser: Browser, program: str, vendor: str, folder: pathlib.Path) -> dict[str, Any]:
    state, archive, secret = folder / "state", folder / "museum.zip", folder / "password"
    write_archive(archive)
    secret.write_text(PASSWORD + "\n")

    def run(*arguments: str) -> None:
        subprocess.run([program, *arguments, "--state", str(state)], check=True, stdout=subprocess.DEVNULL)

    run("user", "add", "ana", "--role", "administrator", "--password-file", str(secret))
    run("import", str(archive))
    run("publish")
    base = f"http://127.0.0.1:{free_port()}"
    command = [program, "serve", "--state", str(state), "--listen", base.removeprefix("http://"), "--vendor", vendor]
    with running(command, f"{base}/v1/site.json"):
        page = await browser.page(f"{base}/sign-in", 1280, 1000)
        await content_tasks.sign_in(page, base, PASSWORD)
        editor = await curator_checks.make_token(page, base, "read", "edit", "publish")
        device = await curator_checks.make_token(page, base, "report")
        beacon = request(base, "GET", "/api/v1/beacons/beacon-2", editor)
        change(base, editor, beacon, "A second text.")
        request(base, "POST", "/api/v1/revisions", editor, {})
        report(base, device, "hall-1", 2)
        report(base, device, "hall-2", 1)
        lamp = request(base, "GET", "/api/v1/beacons/beacon-7", editor)
        request(base, "DELETE", "/api/v1/beacons/beacon-7", editor, **{"If-Match": f'"{lamp["version"]}"'})
        change(base, editor, request(base, "GET", "/api/v1/beacons/beacon-2", editor), "A third text.")
        return await tasks(content_tasks, browser, base, "/beacons", folder)


def change(base: str, token: str, beacon: dict[str, Any], note: str) -> None:
    body = {**beacon["document"], "note": note}
    request(base, "PUT", f"/api/v1/beacons/{beacon['id']}", token, body, **{"If-Match": f'"{beacon["version"]}"'})


async def wagtail(browser: Browser, folder: pathlib.Path) -> dict[str, Any]:
    state = folder / "wagtail"
    (state / "museum_migrations").mkdir(parents=True)
    (state / "museum_migrations" / "__init__.py").touch()
    options = {"cwd": here / "wagtail", "env": {**os.environ, "WAGTAIL_STATE": str(state), "PYTHONDONTWRITEBYTECODE": "1"}}
    for command in [["manage.py", "makemigrations", "museum"], ["manage.py", "migrate"], ["seed.py", PASSWORD]]:
        subprocess.run([sys.executable, *command], check=True, stdout=subprocess.DEVNULL, **options)
    base = f"http://127.0.0.1:{free_port()}"
    serve = [sys.executable, "manage.py", "runserver", "--noreload", base.removeprefix("http://")]
    with running(serve, f"{base}/admin/login/", **options):
        return await tasks(wagtail_tasks, browser, base, "/admin/", folder)


def row(title: str, ours: dict[str, Any], theirs: dict[str, Any]) -> tuple[str, bool]:
    def text(result: dict[str, Any]) -> str:
        return result.get("reason") or f"{result['clicks']} + {result['fields']}"

    total = ours["clicks"] + ours["fields"]
    is_fewer = "reason" in theirs or total < theirs["clicks"] + theirs["fields"]
    return f"| {title} | {text(ours)} | {text(theirs)} |", is_fewer


async def main() -> None:
    program, vendor, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    (folder / "new.png").write_bytes(picture(9))
    async with Browser() as browser:
        print("beacon-content-server", file=sys.stderr)
        ours = await content_server(browser, program, vendor, folder)
        print("Wagtail", file=sys.stderr)
        theirs = await wagtail(browser, folder)
    rows = [row(title, ours[name], theirs[name]) for name, title in TITLES.items()]
    print("| task | beacon-content-server | Wagtail 8.0 |\n|---|---|---|")
    print("\n".join(text for text, _ in rows))
    print(f"\nClicks + fields. Fewer in {sum(is_fewer for _, is_fewer in rows)} of {len(rows)}.")


asyncio.run(main())
