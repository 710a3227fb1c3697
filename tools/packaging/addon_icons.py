"""Draws icon.png and logo.png of the Home Assistant add-on, a dot with three rings: addon_icons.py FOLDER"""

import math
import pathlib
import struct
import sys
import zlib

INK = (11, 87, 117)
DOT = (240, 140, 30)


def covered(x: float, y: float, size: float) -> tuple[tuple[int, int, int], float]:
    """The colour at a point of a picture of this size, and how much of it is there, from 0 to 1."""
    distance = math.hypot(x - size / 2, y - size / 2) / size
    if distance < 0.12:
        return DOT, 1
    for ring, width in ((0.21, 0.045), (0.32, 0.04), (0.43, 0.035)):
        if abs(distance - ring) < width / 2:
            return INK, 1
    return INK, 0


def png(width: int, height: int) -> bytes:
    """The drawing in the middle, on nothing. Each pixel is the mean of 16 points."""
    rows = bytearray()
    left, top, size = (width - height) / 2, 0, height
    for row in range(height):
        rows.append(0)
        for column in range(width):
            points = [covered(column - left + (i + 0.5) / 4, row - top + (j + 0.5) / 4, size)
                      for i in range(4) for j in range(4)]
            alpha = sum(part for _, part in points)
            shown = [colour for colour, part in points if part] or [INK]
            rows += bytes(sum(colour[k] for colour in shown) // len(shown) for k in range(3))
            rows.append(round(255 * alpha / 16))

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(bytes(rows), 9)) + chunk(b"IEND", b""))


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    (folder / "icon.png").write_bytes(png(128, 128))
    (folder / "logo.png").write_bytes(png(250, 100))
