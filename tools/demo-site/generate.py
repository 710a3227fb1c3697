#!/usr/bin/env python3
"""Writes the content site of the demo: what a museum would publish for its six exhibits.

    generate.py FOLDER

FOLDER can then be served by any web server. The beacons are those of the built-in scenario `museum`
(Sources/RadioEmulation). Only Python's standard library is needed, and the result is always the same.
"""

from __future__ import annotations

import argparse
import hashlib
import html
import json
import pathlib
from concurrent.futures import ProcessPoolExecutor

import drawings
from exhibits import EXHIBITS, MAJOR, UUID, Exhibit
from pictures import picture

UPDATED_AT = "2026-01-01T00:00:00Z"
Json = dict[str, object]


class Site:
    """The files below `v1/`."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.root = folder / "v1"
        (self.root / "assets").mkdir(parents=True, exist_ok=True)

    def asset(self, data: bytes, media_type: str) -> Json:
        """Stores bytes under their hash and returns the reference to them."""
        digest = hashlib.sha256(data).hexdigest()
        (self.root / "assets" / digest).write_bytes(data)
        return {"sha256": digest, "bytes": len(data), "media_type": media_type}

    def svg(self, text: str) -> Json:
        return self.asset(text.encode(), "image/svg+xml")

    def document(self, path: str, value: Json) -> str:
        """Writes a JSON document and returns the hash of its bytes."""
        data = json.dumps(value, indent=1, ensure_ascii=False).encode() + b"\n"
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        return hashlib.sha256(data).hexdigest()


def page(title: str, body: str) -> Json:
    style = "body{font:18px/1.5 Georgia,serif;max-width:34em;margin:3em auto;padding:0 1em;color:#222}"
    text = f"<!doctype html><meta charset=utf-8><title>{html.escape(title)}</title><style>{style}</style>{body}"
    return {"title": title, "html": text}


def exhibit_images(site: Site, exhibit: Exhibit, photograph: bytes, close_up: bytes) -> list[Json]:
    drawing = site.svg(drawings.drawing(exhibit))
    contents: list[Json] = [
        {
            "id": "close-ups",
            "label": "Close-ups",
            "position": "left",
            "kind": "gallery",
            "assets": [site.asset(close_up, "image/png"), drawing],
        },
        {
            "id": "floor-plan",
            "label": "You are here",
            "position": "right",
            "kind": "map",
            "assets": [site.svg(drawings.floor_plan(exhibit.minor))],
            "coordinates": {"latitude": 53.48095, "longitude": -2.25512},
            "action": {"name": "Lead me there", "kind": "navigate", "value": "53.48095,-2.25512"},
        },
        {
            "id": "card",
            "label": exhibit.name,
            "position": "top",
            "kind": "image",
            "assets": [site.svg(drawings.card(exhibit))],
            "action": {
                "name": "Ask a guide",
                "kind": "call",
                "value": "+441614960000",
                "overlay_text": "Tap to call",
            },
        },
        {
            "id": "read-more",
            "label": "The whole story",
            "position": "bottom",
            "kind": "image",
            "assets": [drawing],
            "action": {
                "name": "Read on",
                "kind": "open_url",
                "value": f"https://museum.example/exhibits/{exhibit.minor}",
                "description": exhibit.text,
            },
        },
    ]
    return [
        {
            "id": f"exhibit-{exhibit.minor}",
            "title": exhibit.name,
            "width_cm": 42,
            "display": "overlay",
            "asset": site.asset(photograph, "image/png"),
            "contents": contents,
            "fullscreen": page(
                exhibit.name, f"<h1>{html.escape(exhibit.name)}</h1><p>{html.escape(exhibit.text)}</p>"
            ),
        }
    ]


def welcome_image(site: Site) -> Json:
    plan = site.svg(drawings.floor_plan(None))
    return {
        "id": "welcome",
        "title": "Welcome",
        "width_cm": 60,
        "display": "fullscreen",
        "asset": plan,
        "contents": [
            {
                "id": "write-to-us",
                "label": "Write to us",
                "position": "bottom",
                "kind": "image",
                "assets": [plan],
                "action": {
                    "name": "Send a mail",
                    "kind": "email",
                    "value": "hello@museum.example",
                    "parameters": {"subject": "My visit"},
                },
            }
        ],
        "fullscreen": page("Welcome", "<h1>Welcome</h1><p>Six exhibits wait along the corridor. Walk up to one.</p>"),
    }


def overview() -> str:
    """The page for people who open the site in a browser."""
    rows = "".join(
        f"<li><a href=v1/beacons/{UUID}/{MAJOR}/{each.minor}.json>{html.escape(each.name)}</a></li>" for each in EXHIBITS
    )
    return str(page("Demo museum", f"<h1>Demo museum</h1><ol>{rows}</ol>")["html"])


def generate(folder: pathlib.Path) -> None:
    site = Site(folder)
    # Drawing in Python takes a second per exhibit, so all cores are used.
    with ProcessPoolExecutor() as pool:
        photographs = list(pool.map(picture, EXHIBITS))
        close_ups = list(pool.map(picture, EXHIBITS, [True] * len(EXHIBITS)))

    listed: list[Json] = []
    for exhibit, photograph, close_up in zip(EXHIBITS, photographs, close_ups):
        identity: Json = {"uuid": UUID, "major": MAJOR, "minor": exhibit.minor, "name": exhibit.name}
        path = f"beacons/{UUID}/{MAJOR}/{exhibit.minor}.json"
        images = exhibit_images(site, exhibit, photograph, close_up)
        digest = site.document(path, {"format": 1, "beacon": identity, "updated_at": UPDATED_AT, "images": images})
        listed.append({**identity, "manifest": path, "sha256": digest})

    digest = site.document(
        "uncategorized.json",
        {"format": 1, "beacon": None, "updated_at": UPDATED_AT, "images": [welcome_image(site)]},
    )
    site.document(
        "site.json",
        {
            "format": 1,
            "revision": 1,
            "updated_at": UPDATED_AT,
            "beacons": listed,
            "uncategorized": {"manifest": "uncategorized.json", "sha256": digest},
        },
    )
    (folder / "index.html").write_text(overview())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    generate(parser.parse_args().folder)
