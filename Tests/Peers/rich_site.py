#!/usr/bin/env python3
"""Writes a content site with everything that a manifest may have, in three languages: alternative texts, sound with a
transcript, a video with captions and in sign language, a category and tags, and content that is not valid any more.

    rich_site.py FOLDER UUID
"""

from __future__ import annotations

import io
import pathlib
import sys
import wave
from typing import Any

from site_files import SiteFiles

TEXTS: dict[str, dict[str, str]] = {
    "en": {
        "name": "Steam Engine", "alt": "A black engine with a red wheel", "part": "The wheel",
        "said": "This engine drove a mill.\nIt ran for ninety years.", "video": "It runs", "category": "Machines",
    },
    "de": {
        "name": "Dampfmaschine", "alt": "Eine schwarze Maschine mit rotem Rad", "part": "Das Rad",
        "said": "Diese Maschine trieb eine Mühle an.\nSie lief neunzig Jahre lang.", "video": "Sie läuft",
        "category": "Maschinen",
    },
    "bs": {
        "name": "Parna mašina", "alt": "Crna mašina s crvenim točkom", "part": "Točak",
        "said": "Ova mašina je pokretala mlin.\nRadila je devedeset godina.", "video": "Radi", "category": "Mašine",
    },
}


def picture(site: SiteFiles, colour: str) -> dict[str, Any]:
    text = f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 3 2' width='900' height='600'>" \
        f"<rect width='3' height='2' fill='{colour}'/><circle cx='1' cy='1' r='.6' fill='#c33'/></svg>"
    return site.asset(text.encode(), "image/svg+xml")


def sound(site: SiteFiles) -> dict[str, Any]:
    """A second of silence."""
    data = io.BytesIO()
    with wave.open(data, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        file.writeframes(bytes(16000))
    return site.asset(data.getvalue(), "audio/wav")


def images(site: SiteFiles, text: dict[str, str]) -> list[dict[str, Any]]:
    captions = f"WEBVTT\n\n00:00.000 --> 00:10.000\n{text['said']}\n"
    video = site.asset(b"no video that could be played", "video/webm")
    return [
        {
            "id": "engine", "title": text["name"], "width_cm": 60, "display": "overlay",
            "asset": picture(site, "#222"), "alt": text["alt"], "category": text["category"], "tags": ["1824", "iron"],
            "audio": {"asset": sound(site), "transcript": text["said"]},
            "sign_language": site.asset(b"the same in signs " + text["name"].encode(), "video/webm"),
            "valid_from": "2025-01-01T00:00:00Z",
            "contents": [
                {"id": "l", "label": text["part"], "position": "left", "kind": "gallery", "assets": [
                    {**picture(site, "#458"), "alt": f"1: {text['alt']}"}, {**picture(site, "#854"), "alt": ""},
                    {**picture(site, "#584"), "alt": None}]},
                {"id": "v", "label": text["video"], "position": "right", "kind": "video", "assets": [video],
                 "captions": site.asset(captions.encode(), "text/vtt"),
                 "sign_language": site.asset(b"the video in signs", "video/webm")},
            ],
            "fullscreen": None,
        },
        {"id": "past", "title": "It was shown last year", "asset": picture(site, "#fff"), "contents": [],
         "valid_until": "2025-05-31t23:59:60z"},
        {"id": "future", "title": "It will be shown", "asset": picture(site, "#eee"), "contents": [],
         "valid_from": "2199-01-01T00:00:00Z"},
    ]


def main(folder: pathlib.Path, uuid: str) -> None:
    site = SiteFiles(folder)
    variants = {
        language: {"beacon": {"name": TEXTS[language]["name"]}, "images": images(site, TEXTS[language])}
        for language in ["de", "bs"]
    }
    site.beacon(
        uuid, 1, TEXTS["en"]["name"], images(site, TEXTS["en"]), language="en", variants=variants,
        fallback=["en", "de", "bs"])
    site.beacon(uuid, 2, "Whale", [{"id": "1", "title": "Whale", "asset": picture(site, "#246"), "contents": []}])
    site.finish()


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), sys.argv[2])
