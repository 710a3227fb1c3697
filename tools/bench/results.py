"""What a benchmark found: for people, and as JSON for the scripts that write documents."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Iterable
from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Result:
    """One measurement, the most that it may be, and the most that is wanted, where that is still less."""

    what: str
    value: float
    unit: str
    limit: float | None = None
    detail: str = ""
    aim: float | None = None

    @property
    def is_met(self) -> bool:
        return self.limit is None or self.value <= self.limit

    @property
    def text(self) -> str:
        notes = [] if self.limit is None else [f"at most {self.limit:g}"]
        notes += [self.detail] if self.detail else []
        return f"{self.what}: {self.value:.4g} {self.unit}".rstrip() + (f" ({'; '.join(notes)})" if notes else "")


def write_results(path: pathlib.Path, results: Iterable[Result]) -> None:
    rows = [asdict(result) | {"value": round(result.value, 4)} for result in results]
    path.write_text(json.dumps(rows, indent=1) + "\n")
