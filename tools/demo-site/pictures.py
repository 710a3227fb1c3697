"""The exhibits' photographs: drawn by arithmetic, with grain like film, as PNG."""

from __future__ import annotations

import math
import random
import struct
import zlib
from collections.abc import Callable

from exhibits import Exhibit

WIDTH, HEIGHT = 720, 480

# Each takes a point (x to the right -1.5…1.5, y down -1…1) and returns its brightness, 0…1.
Brightness = Callable[[float, float], float]


def steam_engine(x: float, y: float) -> float:
    """A flywheel with teeth and spokes."""
    radius, angle = math.hypot(x, y), math.atan2(y, x)
    rim = 0.82 + 0.05 * (math.sin(28 * angle) > 0)
    if radius > rim:
        return 0.25 - 0.18 * y + 0.1 * math.sin(3 * x + 5 * y)
    if radius > 0.66 or radius < 0.14:
        return 0.75 - 0.3 * y * radius
    spoke = abs(math.sin(3 * angle)) * radius
    return 0.8 - 0.4 * y if spoke < 0.07 else 0.08


def jacquard_loom(x: float, y: float) -> float:
    """Cloth: a twill whose colours follow a damask pattern."""
    over = (math.floor(x * 60) + math.floor(y * 60)) % 4 < 2
    u, v = math.sin(4 * x) * math.cos(4 * y), math.cos(6 * x + 2 * math.sin(5 * y))
    figure = 0.72 if u + 0.5 * v > 0.15 else 0.35
    thread = 0.12 * math.sin(60 * math.pi * (x if over else y))
    return figure + thread + (0.08 if over else -0.08)


def whale_skeleton(x: float, y: float) -> float:
    """Ribs under a spine, light falling from above."""
    spine = -0.35 + 0.18 * x * x
    depth = y - spine
    water = 0.22 - 0.12 * y + 0.04 * math.sin(9 * x + 4 * math.sin(3 * y))
    if abs(depth) < 0.05 + 0.012 * math.sin(60 * x):
        return 0.95
    length = 0.95 * math.cos(x * 1.05)
    if 0 < depth < length and abs(math.sin(14 * (x + 0.35 * depth * depth))) < 0.3:
        return 0.9 - 0.45 * depth
    return water


def printing_press(x: float, y: float) -> float:
    """A forme of type: rows of letters, mirrored as type is."""
    row, column = math.floor(y * 9), math.floor(x * 14)
    fx, fy = (x * 14) % 1 - 0.5, (y * 9) % 1 - 0.5
    shape = (row * 31 + column * 17) % 5
    ink = (
        abs(math.hypot(fx, fy) - 0.27) < 0.09,
        abs(fx) < 0.09 or abs(fy + 0.28) < 0.08,
        abs(abs(fx) - 0.24) < 0.08 or abs(fy) < 0.08,
        abs(fx - fy * 0.5) < 0.1 or abs(fx + fy * 0.5) < 0.1,
        fx < -0.15 and abs(fy) < 0.36 or abs(abs(fy) - 0.28) < 0.08,
    )[shape]
    if max(abs(fx), abs(fy)) > 0.42:
        return 0.18
    return (0.95 if ink else 0.42) - 0.12 * (x + y)


def star_globe(x: float, y: float) -> float:
    """A sphere with meridians and stars on a dark ground."""
    square = x * x + y * y
    if square > 0.81:
        return 0.04 + 0.06 * max(0.0, 1.1 - square)
    z = math.sqrt(0.81 - square)
    latitude = math.asin((y * 0.92 - z * 0.39) / 0.9)
    longitude = math.atan2(x, z * 0.92 + y * 0.39)
    light = 0.3 + 0.4 * (z - 0.5 * x - 0.4 * y)
    if abs(math.sin(6 * longitude)) < 0.05 or abs(math.sin(6 * latitude)) < 0.05:
        light += 0.25
    cell = math.floor(longitude * 9), math.floor(latitude * 9)
    star = random.Random(cell[0] * 131 + cell[1]).random if (cell[0] * 7 + cell[1] * 13) % 3 == 0 else None
    if star:
        distance = math.hypot(longitude * 9 - cell[0] - 0.5, latitude * 9 - cell[1] - 0.5)
        if distance < 0.08 + 0.16 * star():
            return 1.0
    return light


def telegraph(x: float, y: float) -> float:
    """Paper tape with Morse code, rolled."""
    code = "10111000101110101000111011101110001010111010100011101010001110111011100011101011101"
    row = math.floor(y * 4 + 0.8 * math.sin(x * 1.4))
    across = (y * 4 + 0.8 * math.sin(x * 1.4)) % 1
    if not 0.12 < across < 0.88:
        return 0.1
    paper = 0.86 - 0.25 * abs(across - 0.5) - 0.1 * x
    mark = code[(math.floor(x * 28) + 29 * row) % len(code)] == "1"
    return 0.2 if mark and 0.38 < across < 0.62 else paper


BRIGHTNESS: dict[int, Brightness] = {
    1: steam_engine, 2: jacquard_loom, 3: whale_skeleton, 4: printing_press, 5: star_globe, 6: telegraph
}


def rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def palette(exhibit: Exhibit) -> bytes:
    """256 colours from the darkest over the middle to the lightest."""
    stops = [rgb(exhibit.dark), rgb(exhibit.middle), rgb(exhibit.light)]
    colours = bytearray()
    for index in range(256):
        position = index / 127.5
        low = min(int(position), 1)
        part = position - low
        colours += bytes(round(a + (b - a) * part) for a, b in zip(stops[low], stops[low + 1]))
    return bytes(colours)


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def picture(exhibit: Exhibit, close_up: bool = False) -> bytes:
    """A PNG of palette colours (PNG specification, 3rd edition, colour type 3)."""
    brightness = BRIGHTNESS[exhibit.minor]
    scale = (1 if close_up else 2) / HEIGHT
    shift_x, shift_y = (0.45, -0.3) if close_up else (0.0, 0.0)
    noise = random.Random(exhibit.minor * 2 + close_up)
    rows = bytearray()
    for row in range(HEIGHT):
        y = (row - HEIGHT / 2) * scale + shift_y
        rows.append(0)
        grain = noise.getrandbits(4 * WIDTH)
        for column in range(WIDTH):
            value = int(232 * brightness((column - WIDTH / 2) * scale + shift_x, y)) + (grain & 15)
            grain >>= 4
            rows.append(0 if value < 0 else 255 if value > 255 else value)
    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 3, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"PLTE", palette(exhibit))
        + chunk(b"IDAT", zlib.compress(bytes(rows), 6))
        + chunk(b"IEND", b"")
    )
