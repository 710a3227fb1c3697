#!/usr/bin/env python3
"""Writes a content site that tries everything that foreign content can try.

    hostile_site.py FOLDER UUID

Its beacon is UUID/1/1. What would run, if it could, sets `hacked` in the page's window; what would be fetched, if it
could be, is at evil.example.
"""

from __future__ import annotations

import pathlib
import sys

from site_files import SiteFiles

MARKUP = "<img src=x onerror='top.hacked=1'><script>top.hacked=1</script>"
SCRIPT = "javascript:top.hacked=1"
PIXEL = b"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 3 2' onload='top.hacked=1'>" \
    b"<script>top.hacked=1</script><rect width='3' height='2' fill='teal'/></svg>"
PAGE = (
    "<!doctype html><style>body{background:#cde}</style><h1 id=foreign>Foreign page</h1>"
    "<script>top.hacked=1;document.title='hacked'</script><img src='https://evil.example/a.png' onerror='top.hacked=1'>"
    "<link rel=stylesheet href='https://evil.example/a.css'><iframe src='https://evil.example/'></iframe>"
    "<form action='https://evil.example/'><input name=q autofocus onfocus='top.hacked=1'></form>"
    "<meta http-equiv=refresh content='0;url=https://evil.example/'><a href='https://evil.example/' target=_top>out</a>"
)
ACTIONS = [
    {"kind": "open_url", "value": SCRIPT},
    {"kind": "open_url", "value": "data:text/html,<script>top.hacked=1</script>"},
    {"kind": "open_url", "value": "http://evil.example/"},
    {"kind": "open_url", "value": "https://user:secret@evil.example/"},
    {"kind": "open_url", "value": "file:///etc/passwd"},
    {"kind": "call", "value": "+1;ext=javascript:alert(1)"},
    {"kind": "email", "value": "a@b.example?bcc=evil@evil.example"},
    {"kind": "navigate", "value": "1,2?q=<b>" },
    {"kind": "constructor", "value": SCRIPT},
    {"kind": "open_url", "value": "https://museum.example/fine"},
    {"kind": "call", "value": "+49 (0)30/123-45", "name": ""},
    {"kind": "email", "value": "o'brien&co@m\u00fcseum.example", "parameters": {"body": "a\nb"}},
    # Half of the last character is beyond the limit.
    {"kind": "navigate", "value": "x" + "\U0001f995" * 300},
]


def main(folder: pathlib.Path, uuid: str) -> None:
    site = SiteFiles(folder)
    picture = site.asset(PIXEL, "image/svg+xml")
    html = site.asset(b"<script>top.hacked=1</script>", "text/html")
    contents = [
        {
            "id": str(number), "label": MARKUP, "position": "left\" onload=\"top.hacked=1", "kind": "image",
            "assets": [picture, html], "action": {"name": MARKUP, "description": MARKUP, "overlay_text": MARKUP, **action},
        }
        for number, action in enumerate(ACTIONS)
    ]
    contents += [
        {"id": "v", "label": "v", "kind": "video", "assets": [], "video_url": SCRIPT},
        {"id": "m", "label": "m", "kind": "map", "assets": [], "coordinates": {"latitude": 1e9, "longitude": 2}},
        {"id": "g", "label": "g", "kind": "map", "assets": [], "coordinates": {"latitude": -33.9, "longitude": 151.2}},
        {"id": "k", "label": "long " * 60 + "Donaudampfschifffahrtsgesellschaft" * 6, "kind": "__proto__", "assets": []},
    ]
    image = {
        "id": "1", "title": MARKUP, "width_cm": 10, "display": "overlay", "asset": picture, "contents": contents,
        "fullscreen": {"title": MARKUP, "html": PAGE},
    }
    site.beacon(uuid, 1, MARKUP, [image])
    site.finish()


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), sys.argv[2])
