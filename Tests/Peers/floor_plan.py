"""Draws a plan of four rooms as PNG (RFC 2083), 1300 by 900 pixels."""

import struct
import sys
import zlib

WIDTH, HEIGHT = 1300, 900
WALLS = [(50, 50, 1250, 58), (50, 842, 1250, 850), (50, 50, 58, 850), (1242, 50, 1250, 850), (600, 50, 608, 350),
         (600, 550, 608, 850), (50, 446, 250, 454), (400, 446, 900, 454), (1050, 446, 1250, 454)]


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def row(y: int) -> bytes:
    line = bytearray(b"\xf8" * WIDTH)
    for left, top, right, bottom in WALLS:
        if top <= y < bottom:
            line[left:right] = b"\x50" * (right - left)
    return b"\0" + bytes(line)


def main(path: str) -> None:
    head = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 0, 0, 0, 0)
    pixels = zlib.compress(b"".join(row(y) for y in range(HEIGHT)), 9)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b""))


main(sys.argv[1])
