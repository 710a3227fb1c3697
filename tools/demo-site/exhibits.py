"""The six exhibits. Identities and names are those of the scenario `museum`."""

from __future__ import annotations

from dataclasses import dataclass

UUID = "7a0e5f3c-2d81-4b6a-9c47-51e8b3d2f096"
MAJOR = 1


@dataclass(frozen=True)
class Exhibit:
    minor: int
    name: str
    dark: str
    """Colours as #rrggbb: shadows, middle tones and highlights."""
    middle: str
    light: str
    text: str


EXHIBITS = [
    Exhibit(
        1, "Steam Engine", "#1d1a26", "#b5502e", "#ffe3b0",
        "A beam of iron and a breath of steam. It lifted water out of a mine for sixty years, twelve strokes a minute.",
    ),
    Exhibit(
        2, "Jacquard Loom", "#2a0f2e", "#a8326e", "#ffd9e8",
        "Punched cards tell every warp thread whether to rise. The pattern is a program, and the cloth is its output.",
    ),
    Exhibit(
        3, "Whale Skeleton", "#06202e", "#2f7f93", "#eef7f2",
        "Twenty-one metres from jaw to tail. Look for the small bones near the hip: what is left of its legs.",
    ),
    Exhibit(
        4, "Printing Press", "#20180e", "#8c6b3f", "#fbf0d8",
        "Two hundred sheets an hour, a letter at a time. Pull the bar and smell the ink.",
    ),
    Exhibit(
        5, "Star Globe", "#070b24", "#3a4fa0", "#f7f3c8",
        "The sky as seen from outside. The navigators who used it turned it until the evening's stars stood upright.",
    ),
    Exhibit(
        6, "Telegraph", "#14201a", "#3f7d4e", "#f0ffd8",
        "One key, one wire, one needle. A message crossed the country before the rider had saddled his horse.",
    ),
]
