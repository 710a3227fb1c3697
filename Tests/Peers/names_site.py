#!/usr/bin/env python3
"""Writes a content site with the names that pages break of: UUID/1/1 is Arabic, UUID/1/2 has 200 letters in words,
UUID/1/3 has 200 letters in one word, UUID/1/4 is usual and has much to read.

    names_site.py FOLDER UUID
"""

from __future__ import annotations

import pathlib
import sys
from typing import Any

from site_files import SiteFiles

ARABIC = "هيكل الحوت العظمي"
WORDS = ("The Whale Skeleton of the Northern Sea and Other Remarkable Remains " * 4)[:199] + "."
WORD = ("Donaudampfschifffahrtsgesellschaftskapitänsmütze" * 5)[:200]
USUAL = "Steam Engine"


def picture(site: SiteFiles, colour: str, wide: int = 3, high: int = 2) -> dict[str, Any]:
    text = f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {wide} {high}' width='{wide * 300}' height='{high * 300}'>" \
        f"<rect width='{wide}' height='{high}' fill='{colour}'/><circle cx='1' cy='1' r='.6' fill='#fff8'/></svg>"
    return site.asset(text.encode(), "image/svg+xml")


def image(site: SiteFiles, title: str, labels: list[str], text: str) -> dict[str, Any]:
    contents: list[dict[str, Any]] = [
        {"id": "g", "label": labels[0], "position": "left", "kind": "gallery",
         "assets": [picture(site, each) for each in ["teal", "#845", "#268"]]},
        {"id": "m", "label": labels[1], "position": "right", "kind": "map", "assets": [],
         "coordinates": {"latitude": 30.04, "longitude": 31.24}},
        {"id": "t", "label": labels[2], "position": "top", "kind": "image", "assets": [picture(site, "#a63")],
         "action": {"name": labels[0], "kind": "call", "value": "+441614960000", "description": text}},
        {"id": "b", "label": labels[3], "position": "bottom", "kind": "image", "assets": [picture(site, "#374")],
         "action": {"name": labels[1], "kind": "open_url", "value": "https://museum.example/1", "description": text * 3}},
    ]
    return {
        "id": "1", "title": title, "width_cm": 42, "display": "overlay", "asset": picture(site, "#246"), "contents": contents,
        "fullscreen": {"title": title, "html": f"<p>{text}</p>"},
    }


def main(folder: pathlib.Path, uuid: str) -> None:
    site = SiteFiles(folder)
    arabic = "عُثر عليه عام ١٨٢٤ (طوله 21 m)، ويزن 3 أطنان."
    site.beacon(uuid, 1, ARABIC, [image(site, ARABIC, ["صور", "أنت هنا", "اسأل مرشداً", "القصة كاملة"], arabic)], language="ar")
    for minor, name in [(2, WORDS), (3, WORD), (4, USUAL)]:
        labels = ["Close-ups", "You are here", "Ask a guide", name]
        site.beacon(uuid, minor, name, [image(site, name, labels, "Twenty-one metres from jaw to tail. ")])
    site.finish()


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), sys.argv[2])
