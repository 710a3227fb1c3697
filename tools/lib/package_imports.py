"""What the targets of a Swift package import, beside what its manifest declares."""
from __future__ import annotations

import json
import pathlib
import re
import subprocess
from collections.abc import Iterator

IMPORT = re.compile(r"^(?:import \w+; )?(?:@\w+ )*(?:public |package |internal |private )?import (?:struct |class |enum |func )?(\w+)", re.M)


def imports(folder: pathlib.Path) -> set[str]:
    return {name for file in folder.rglob("*.swift") for name in IMPORT.findall(file.read_text())}


def targets(package: pathlib.Path) -> list[dict]:
    """As the manifest has them. Raises SystemExit with what Swift says if it refuses the manifest."""
    done = subprocess.run(["swift", "package", "--package-path", str(package), "dump-package"],
                          check=False, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{package}/Package.swift: {done.stderr.strip()}")
    return json.loads(done.stdout)["targets"]


def declared(target: dict) -> set[str]:
    return {entry["byName"][0] for entry in target["dependencies"] if "byName" in entry} | products(target)


def products(target: dict) -> set[str]:
    """What it takes from other packages. Each has one module, of the same name."""
    return {entry["product"][0] for entry in target["dependencies"] if "product" in entry}


def all_products(package: pathlib.Path) -> set[str]:
    """What its targets take from other packages."""
    return set().union(*map(products, targets(package)))


def undeclared(package: pathlib.Path, modules: set[str]) -> Iterator[str]:
    """Those of the modules that a target imports, and that its package does not have for it."""
    for target in targets(package):
        places = (package / place / target["name"] for place in ("Sources", "Tests"))
        for folder in places:
            for name in sorted(imports(folder) & modules - declared(target) - {target["name"]}):
                yield f"{target['name']} imports {name}, which {package}/Package.swift does not declare for it"
