#!/usr/bin/env python3
"""Writes the six exhibits as an archive that `beacon-content-server import` reads.

    archive.py SITE FILE.zip

SITE is the folder that generate.py has made: its pictures are taken from there. Drawings are left out: the server takes
no SVG. Only Python's standard library is needed.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import zipfile

from exhibits import EXHIBITS, MAJOR, UUID, Exhibit

Json = dict[str, object]


class Archive:
    """The documents, and the files of the media library."""

    def __init__(self, site: pathlib.Path) -> None:
        self.assets = site / "v1" / "assets"
        self.lines: list[str] = []
        self.files: set[str] = set()

    def add(self, name: str, kind: str, body: Json) -> str:
        self.lines.append(json.dumps({"id": name, "kind": kind, "body": body}))
        return name

    def picture(self, name: str, title: str, asset: Json) -> str:
        digest = str(asset["sha256"])
        self.files.add(digest)
        body = {"sha256": digest, "bytes": asset["bytes"], "media_type": asset["media_type"], "name": title}
        return self.add(name, "media", body)

    def write(self, file: pathlib.Path) -> None:
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr("curation/documents.jsonl", "\n".join(self.lines) + "\n")
            for digest in sorted(self.files):
                archive.write(self.assets / digest, f"curation/media/{digest}")


def page(text: str) -> Json:
    paragraph = {"type": "paragraph", "content": [{"type": "text", "text": text}]}
    return {"type": "doc", "content": [paragraph]}


def use(picture: str, alt: str) -> Json:
    return {"media": picture, "alt": {"en": alt}}


def add_exhibit(archive: Archive, exhibit: Exhibit, manifest: Json) -> None:
    image = manifest["images"][0]  # type: ignore[index]
    photograph = archive.picture(f"photograph-{exhibit.minor}", f"{exhibit.name}.png", image["asset"])
    close_up = archive.picture(
        f"close-up-{exhibit.minor}", f"{exhibit.name}, close-up.png", image["contents"][0]["assets"][0]
    )
    beacon = archive.add(
        f"exhibit-{exhibit.minor}",
        "beacon",
        {"name": {"en": exhibit.name}, "uuid": UUID, "major": MAJOR, "minor": exhibit.minor, "floor": "0"},
    )
    whole = use(photograph, f"The whole {exhibit.name}")
    detail = use(close_up, f"A detail of the {exhibit.name}")
    contents: list[Json] = [
        {"id": "close-ups", "side": "left", "kind": "gallery", "label": {"en": "Close-ups"}, "pictures": [detail, whole]},
        {
            "id": "floor-plan",
            "side": "right",
            "kind": "map",
            "label": {"en": "You are here"},
            "coordinates": {"latitude": 53.48095, "longitude": -2.25512},
            "action": {"kind": "navigate", "value": "53.48095,-2.25512", "name": {"en": "Lead me there"}},
        },
        {
            "id": "card",
            "side": "top",
            "kind": "image",
            "label": {"en": exhibit.name},
            "pictures": [detail],
            "action": {
                "kind": "call",
                "value": "+441614960000",
                "name": {"en": "Ask a guide"},
                "overlay_text": {"en": "Tap to call"},
            },
        },
        {
            "id": "read-more",
            "side": "bottom",
            "kind": "image",
            "label": {"en": "The whole story"},
            "pictures": [whole],
            "action": {
                "kind": "open_url",
                "value": f"https://museum.example/exhibits/{exhibit.minor}",
                "name": {"en": "Read on"},
                "description": {"en": exhibit.text},
            },
        },
    ]
    archive.add(
        f"image-{exhibit.minor}",
        "image",
        {
            "beacon": beacon,
            "rank": 1,
            "title": {"en": exhibit.name},
            "picture": whole,
            "width_cm": 42,
            "display": "overlay",
            "contents": contents,
            "page": {"title": {"en": exhibit.name}, "body": {"en": page(exhibit.text)}},
        },
    )


def write(site: pathlib.Path, file: pathlib.Path) -> None:
    archive = Archive(site)
    archive.add("site", "site", {"title": "Demo museum", "languages": ["en"]})
    for exhibit in EXHIBITS:
        path = site / "v1" / "beacons" / UUID / str(MAJOR) / f"{exhibit.minor}.json"
        add_exhibit(archive, exhibit, json.loads(path.read_text()))
    archive.write(file)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site", type=pathlib.Path)
    parser.add_argument("file", type=pathlib.Path)
    arguments = parser.parse_args()
    write(arguments.site, arguments.file)
