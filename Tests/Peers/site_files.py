"""The files of a content site, for tests."""

from __future__ import annotations

import hashlib
import json
import pathlib
from typing import Any


class SiteFiles:
    """What is written below `v1/`."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.root = folder / "v1"
        (self.root / "assets").mkdir(parents=True, exist_ok=True)
        self.listed: list[dict[str, Any]] = []

    def asset(self, data: bytes, media_type: str) -> dict[str, Any]:
        digest = hashlib.sha256(data).hexdigest()
        (self.root / "assets" / digest).write_bytes(data)
        return {"sha256": digest, "bytes": len(data), "media_type": media_type}

    def document(self, path: str, value: object) -> str:
        data = json.dumps(value).encode()
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_bytes(data)
        return hashlib.sha256(data).hexdigest()

    def beacon(self, uuid: str, minor: int, name: str, images: list[Any], **more: Any) -> None:
        """A beacon UUID/1/minor with its manifest."""
        identity = {"uuid": uuid, "major": 1, "minor": minor, "name": name}
        path = f"beacons/{uuid}/1/{minor}.json"
        digest = self.document(path, {"format": 1, "beacon": identity, "images": images, **more})
        self.listed.append({**identity, "manifest": path, "sha256": digest})

    def finish(self) -> None:
        self.document("site.json", {
            "format": 1, "revision": 1, "updated_at": "2026-01-01T00:00:00Z", "beacons": self.listed, "uncategorized": None,
        })
