#!/usr/bin/env python3
"""old_glibc.py LIMITS FILE…: lets 64-bit little-endian ELF files load where the C library is older than the one that they were linked with.

LIMITS are the newest versions of symbols that may stay, such as GLIBC_2.36,GLIBCXX_3.4.30. A reference to a newer one
becomes a reference to any version. The entry by which the file asks for the newer version then names an old one, which
the file asks for as well: the loader refuses a file whose entry it does not find. What the older library does not have
must come from another library that the file needs (old_glibc.c). Prints file, symbol and version of each change.

Formats: System V ABI, "Symbol Table"; Linux Standard Base Core, "Symbol Versioning".
"""
import os
import pathlib
import struct
import sys

SHT_DYNSYM, SHT_GNU_VERNEED, SHT_GNU_VERSYM = 11, 0x6FFFFFFE, 0x6FFFFFFF
ANY_VERSION = 1


def numbered(version):
    """("GLIBC", [2, 36]); without numbers where it is a name such as GLIBC_PRIVATE."""
    kind, _, number = version.partition("_")
    parts = number.split(".")
    return kind, [int(part) for part in parts] if all(part.isdigit() for part in parts) else []


class File:
    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.data = bytearray(self.path.read_bytes())
        if self.data[:6] != b"\x7fELF\x02\x01":
            sys.exit(f"old_glibc.py: {path} is no 64-bit little-endian ELF file")
        table, = struct.unpack_from("<Q", self.data, 40)
        size, count = struct.unpack_from("<HH", self.data, 58)
        self.sections = [struct.unpack_from("<IIQQQQIIQQ", self.data, table + index * size) for index in range(count)]

    def section(self, kind):
        """Offset, size, linked section and number of entries of the first section of a kind."""
        for _, each, _, _, offset, size, link, info, _, _ in self.sections:
            if each == kind:
                return offset, size, link, info
        return None

    def text(self, section, at):
        start = self.sections[section][4] + at
        return self.data[start:self.data.index(0, start)].decode()

    def needs(self):
        """(offset of the entry, version, number in the table of versions) for each version that the file asks for."""
        offset, _, strings, count = self.section(SHT_GNU_VERNEED)
        for _ in range(count):
            _, entries, _, auxiliary, following = struct.unpack_from("<HHIII", self.data, offset)
            entry = offset + auxiliary
            for _ in range(entries):
                _, _, number, name, step = struct.unpack_from("<IHHII", self.data, entry)
                yield entry, self.text(strings, name), number & 0x7FFF
                entry += step
            offset += following

    def relax(self, limits):
        """Takes versions that are beyond the limits off. Returns symbol and version of each."""
        if not self.section(SHT_GNU_VERNEED) or not self.section(SHT_GNU_VERSYM):
            return []
        newer, older = {}, {}
        for entry, version, number in self.needs():
            kind, parts = numbered(version)
            if kind in limits and parts:
                if parts > limits[kind]:
                    newer[number] = entry, kind, version
                else:
                    older[kind] = entry
        for entry, kind, version in newer.values():
            if kind not in older:
                sys.exit(f"old_glibc.py: {self.path} asks for {version}, and for no older one that could stand for it")
            hashed, = struct.unpack_from("<I", self.data, older[kind])
            name, = struct.unpack_from("<I", self.data, older[kind] + 8)
            struct.pack_into("<I", self.data, entry, hashed)
            struct.pack_into("<I", self.data, entry + 8, name)
        return list(self.unversioned(newer))

    def unversioned(self, newer):
        versions, size, symbols, _ = self.section(SHT_GNU_VERSYM)
        table, strings = self.sections[symbols][4], self.sections[symbols][6]
        for index in range(size // 2):
            number, = struct.unpack_from("<H", self.data, versions + 2 * index)
            if number & 0x7FFF in newer:
                struct.pack_into("<H", self.data, versions + 2 * index, ANY_VERSION)
                name, = struct.unpack_from("<I", self.data, table + 24 * index)
                yield self.text(strings, name), newer[number & 0x7FFF][2]

    def write(self):
        """Replaces the file as a whole."""
        new = self.path.with_name(self.path.name + ".new")
        new.write_bytes(self.data)
        os.chmod(new, self.path.stat().st_mode)
        os.replace(new, self.path)


def main():
    if len(sys.argv) < 3:
        sys.exit("Usage: old_glibc.py LIMIT[,LIMIT…] FILE…")
    limits = dict(numbered(limit) for limit in sys.argv[1].split(","))
    for path in sys.argv[2:]:
        file = File(path)
        changes = file.relax(limits)
        if changes:
            file.write()
        for symbol, version in changes:
            print(file.path.name, symbol, version)


if __name__ == "__main__":
    main()
