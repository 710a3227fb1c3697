"""The site's line art, as SVG."""

from __future__ import annotations

import math
import textwrap

from exhibits import EXHIBITS, Exhibit


def svg(width: int, height: int, body: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'stroke-linecap="round" stroke-linejoin="round" font-family="Georgia, serif">{body}</svg>\n'
    )


def circle(x: float, y: float, radius: float, style: str = 'fill="none"') -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" {style}/>'


def line(*points: tuple[float, float]) -> str:
    return '<polyline fill="none" points="' + " ".join(f"{x:.1f},{y:.1f}" for x, y in points) + '"/>'


def box(x: float, y: float, width: float, height: float, style: str = 'fill="none"') -> str:
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" {style}/>'


def steam_engine() -> str:
    spokes = "".join(
        line((420, 250), (420 + 95 * math.cos(a), 250 + 95 * math.sin(a))) for a in (i * math.pi / 4 for i in range(8))
    )
    return (
        box(90, 180, 70, 170) + line((125, 180), (125, 120)) + line((100, 110), (430, 140)) + line((265, 125), (265, 350))
        + circle(420, 250, 95) + circle(420, 250, 12) + spokes + line((430, 140), (450, 190)) + line((60, 350), (540, 350))
        + circle(175, 80, 14) + circle(205, 55, 19) + circle(245, 35, 24)
    )


def jacquard_loom() -> str:
    warp = "".join(line((150 + 15 * i, 90 + (i * 7 % 5) * 8), (150 + 15 * i, 300)) for i in range(21))
    cards = "".join(
        box(490, 60 + 32 * i, 60, 26) + "".join(circle(500 + 10 * j, 73 + 32 * i, 2.5) for j in range(5) if (i * 3 + j) % 3)
        for i in range(8)
    )
    return box(120, 60, 360, 290) + line((120, 90), (480, 90)) + warp + box(140, 270, 320, 60) + cards


def whale_skeleton() -> str:
    ribs = "".join(
        f'<path fill="none" d="M{190 + 22 * i} 150 q -24 {60 + 70 * math.sin(i / 3.5 + .5):.0f} 14 {100 + 40 * math.sin(i / 3.5 + .5):.0f}"/>'
        for i in range(9)
    )
    spine = "".join(circle(190 + 15 * i, 150 + 0.09 * (i - 8) ** 2, 6) for i in range(22))
    return (
        ribs + spine
        + '<path fill="none" d="M190 150 C150 110 90 120 40 190 C90 200 150 200 190 165"/>'
        + '<path fill="none" d="M50 205 C100 240 160 230 185 175"/>'
        + '<path fill="none" d="M510 165 l50 -40 M510 165 l55 25"/>'
    )


def printing_press() -> str:
    letters = "".join(
        f'<text x="{215 + 28 * (i % 7)}" y="{262 + 30 * (i // 7)}" font-size="24" stroke="none" fill="currentColor">'
        f"{'ABCDEFGHIJKLMN'[i]}</text>" for i in range(14)
    )
    return (
        line((160, 350), (160, 50), (440, 50), (440, 350)) + box(150, 50, 300, 40)
        + line((300, 90), (300, 170)) + line((285, 105), (315, 120)) + line((285, 125), (315, 140))
        + line((300, 150), (410, 130)) + box(210, 170, 180, 26) + box(200, 235, 200, 65) + letters
        + line((130, 310), (470, 310)) + line((110, 350), (490, 350))
    )


def star_globe() -> str:
    meridians = "".join(f'<ellipse fill="none" cx="300" cy="180" rx="{rx}" ry="130"/>' for rx in (25, 70, 108))
    parallels = "".join(
        line((300 - 130 * math.cos(a), 180 + 130 * math.sin(a)), (300 + 130 * math.cos(a), 180 + 130 * math.sin(a)))
        for a in (-0.9, -0.45, 0, 0.45, 0.9)
    )
    dipper = [(230, 130), (258, 118), (284, 124), (310, 136), (318, 160), (352, 158), (348, 130)]
    stars = "".join(circle(x, y, 4, 'fill="currentColor"') for x, y in dipper)
    return (
        circle(300, 180, 130) + meridians + parallels + line(*dipper, dipper[3]) + stars
        + '<path fill="none" d="M150 180 a150 150 0 0 0 300 0"/>' + line((300, 330), (300, 355)) + line((230, 355), (370, 355))
    )


def telegraph() -> str:
    tape = "".join(
        box(60 + 24 * i, 95, 16 if "-..-.--.-..---.-.--."[i] == "-" else 5, 8, 'fill="currentColor"') for i in range(20)
    )
    return (
        line((40, 80), (560, 80)) + line((40, 118), (560, 118)) + tape + box(110, 300, 380, 50)
        + line((170, 300), (170, 255)) + line((130, 245), (430, 245)) + circle(430, 232, 22) + line((300, 300), (300, 262))
        + circle(230, 278, 18) + circle(265, 278, 18) + line((400, 300), (400, 280))
    )


DRAWINGS = {
    1: steam_engine, 2: jacquard_loom, 3: whale_skeleton, 4: printing_press, 5: star_globe, 6: telegraph
}


def drawing(exhibit: Exhibit) -> str:
    return svg(
        600, 400,
        f'<rect width="600" height="400" fill="{exhibit.light}"/>'
        f'<g color="{exhibit.dark}" stroke="{exhibit.dark}" stroke-width="4">{DRAWINGS[exhibit.minor]()}</g>',
    )


def card(exhibit: Exhibit) -> str:
    """The label beside the exhibit."""
    lines = "".join(
        f'<text x="30" y="{120 + 30 * i}" font-size="20" fill="{exhibit.light}">{text}</text>'
        for i, text in enumerate(textwrap.wrap(exhibit.text, 44))
    )
    return svg(
        520, 240,
        f'<rect width="520" height="240" rx="18" fill="{exhibit.dark}"/><rect width="12" height="240" fill="{exhibit.middle}"/>'
        f'<text x="30" y="68" font-size="36" fill="{exhibit.light}">{exhibit.minor} · {exhibit.name}</text>{lines}',
    )


def floor_plan(here: int | None) -> str:
    """The corridor with the six exhibits, one of them marked."""
    places = "".join(
        f'<g transform="translate({75 + 110 * (each.minor - 1)} 60)">'
        f'<rect x="-40" y="-25" width="80" height="50" rx="6" fill="{each.middle if each.minor == here else "#ddd8cc"}"/>'
        f'<text y="7" font-size="22" text-anchor="middle" fill="{"#fff" if each.minor == here else "#666"}">{each.minor}</text>'
        f'<text y="50" font-size="12" text-anchor="middle" fill="#444">{each.name}</text></g>'
        for each in EXHIBITS
    )
    mark = "" if here is None else circle(75 + 110 * (here - 1), 150, 9, 'fill="#c02020" stroke="#fff" stroke-width="3"')
    return svg(
        700, 190,
        '<rect x="10" y="10" width="680" height="170" rx="8" fill="#f6f2e8" stroke="#8a8272" stroke-width="4"/>'
        f'<path d="M20 150 H680" stroke="#bbb3a0" stroke-width="2" stroke-dasharray="2 10"/>{places}{mark}',
    )
