#!/usr/bin/env python3
"""Gives downloaded files readable names: links FOLDER/EXHIBIT-N.EXTENSION to the files in beacond's store.

    name_files.py STORE FOLDER

STORE is beacond's content folder, where files are named by their hash and manifests describe them. Prints one line
per beacon.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import re

EXTENSIONS = {"image/png": "png", "image/svg+xml": "svg"}


def name_files(store: pathlib.Path, folder: pathlib.Path) -> None:
    folder.mkdir(exist_ok=True)
    for path in [*sorted(store.glob("beacons/**/*.json")), store / "uncategorized.json"]:
        if not path.exists():
            continue
        manifest = json.loads(path.read_text())
        name = (manifest["beacon"] or {}).get("name", "no beacon near")
        assets = []
        for image in manifest["images"]:
            assets += [image["asset"]] + [asset for content in image["contents"] for asset in content["assets"]]
        links: dict[str, str] = {}
        for asset in assets:
            digest = asset["sha256"]
            file = store / "assets" / digest[:2] / digest
            if digest not in links and file.exists():
                stem = re.sub("[^a-z0-9]+", "-", name.lower())
                links[digest] = f"{stem}-{len(links) + 1}.{EXTENSIONS.get(asset['media_type'], 'bin')}"
                link = folder / links[digest]
                link.unlink(missing_ok=True)
                link.symlink_to(file)
        print(f"  {name:16} {', '.join(links.values())}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    arguments = parser.parse_args()
    name_files(arguments.store, arguments.folder)
