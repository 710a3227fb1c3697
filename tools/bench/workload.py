#!/usr/bin/env python3
"""A reproducible workload: N LE advertising reports as a btsnoop file, and what a correct reader finds in it.

    workload.py EVENTS FOLDER

writes FOLDER/EVENTS.monitor.btsnoop (datalink 2001, as btmon writes), FOLDER/EVENTS.h4.btsnoop (datalink 1002) with
the same events, and FOLDER/EVENTS.json: the count of iBeacons and the sums of their fields.

One report per event, 1 ms apart: 70 % iBeacons (200 beacons, 5 UUIDs), 20 % other Apple data, 10 % others, including
malformed and truncated ones. A fifth of the events are extended reports. Only Random.random() and getrandbits() are
used, so the bytes are the same in every Python 3.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import random
import struct
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field

SEED = 20
BTSNOOP_EPOCH = 0x00DCDDB30F2F8000  # 1970-01-01 as btsnoop counts microseconds
START = BTSNOOP_EPOCH + 1767225600 * 1_000_000  # 2026-01-01 00:00:00 UTC

UUIDS = [
    bytes.fromhex(text)
    for text in (
        "e2c56db5dffb48d2b060d0f5a71096e0",
        "b9407f30f5f8466eaff925556b57fe6d",
        "f7826da64fa24e988024bc5b71e0893e",
        "2f234454cf6d4a0fadf2f4911ba9ffa6",
        "74278bdab64445208f0c720eaf059935",
    )
]
NAMES = [
    b"LE-Bose QC35", b"Mi Band 3", b"N02KP", b"TY", b"[TV] Samsung 7 Series (55)",
    b"Caf\xc3\xa9 Sensor", b"Tile", b"S1A2B3C4D5E6F708C",
]
FLAGS = b"\x02\x01\x06"


@dataclass
class Expected:
    """What a correct reader finds."""

    count: int = 0
    major: int = 0
    minor: int = 0
    measured_power: int = 0
    rssi: int = 0
    uuid_bytes: int = 0


class Level:
    """An RSSI that wanders between -100 and -40 dBm."""

    def __init__(self, source: random.Random) -> None:
        self.source = source
        self.value = -55 - int(source.random() * 35)

    def step(self) -> int:
        x = self.source.random()
        value = self.value + (0 if x < 0.4 else 1 if x < 0.6 else -1 if x < 0.8 else 3 if x < 0.9 else -3)
        self.value = -41 if value > -40 else -99 if value < -100 else value
        return self.value


@dataclass
class Device:
    address: bytes
    address_type: int
    data: bytes
    level: Level
    major: int = 0
    minor: int = 0
    power: int = 0
    uuid_bytes: int = 0
    # The number of events until the data changes, for devices that rotate it.
    left: int = field(default=0)


def ad(kind: int, value: bytes) -> bytes:
    return bytes((len(value) + 1, kind)) + value


def ibeacon(uuid: bytes, major: int, minor: int, power: int) -> bytes:
    return b"\x4c\x00\x02\x15" + uuid + struct.pack(">HHb", major, minor, power)


class Workload:
    def __init__(self, seed: int = SEED) -> None:
        # The order of the random draws below defines the workload: do not change it.
        self.source = random.Random(seed)
        self.expected = Expected()
        draw = self.source
        self.beacons = [self.beacon(index) for index in range(200)]
        self.nearby = [Device(self.octets(6), 1, b"", Level(draw)) for _ in range(60)]
        self.find_my = [Device(self.octets(6), 1, b"", Level(draw)) for _ in range(40)]
        self.eddystone = [
            Device(
                self.octets(6), 1,
                FLAGS + ad(0x03, b"\xaa\xfe") + ad(0x16, b"\xaa\xfe\x00\xee" + self.octets(16) + b"\0\0"),
                Level(draw),
            )
            for _ in range(20)
        ]
        self.alt_beacons = [
            Device(
                self.octets(6), 1,
                FLAGS + ad(0xFF, b"\x18\x01\xbe\xac" + self.octets(16) + self.octets(4) + b"\xc5\x00"),
                Level(draw),
            )
            for _ in range(20)
        ]
        self.named = [Device(self.octets(6), index & 1, self.name(index), Level(draw)) for index in range(40)]
        self.broken_levels = [Level(draw) for _ in range(10)]
        self.broken_addresses = [self.octets(6) for _ in range(10)]

    def pick(self, count: int) -> int:
        return int(self.source.random() * count)

    def octets(self, count: int) -> bytes:
        return self.source.getrandbits(8 * count).to_bytes(count, "big")

    def beacon(self, index: int) -> Device:
        uuid = UUIDS[index % 5]
        major, minor = self.source.getrandbits(16), self.source.getrandbits(16)
        power = -59 - self.pick(20)
        frame = ad(0xFF, ibeacon(uuid, major, minor, power))
        form = self.pick(10)
        data = frame if form == 0 else ad(0x01, b"\x1a") + frame if form < 4 else FLAGS + frame
        return Device(self.octets(6), 1, data, Level(self.source), major, minor, power, sum(uuid))

    @staticmethod
    def name(index: int) -> bytes:
        name = NAMES[index % len(NAMES)]
        data = FLAGS + ad(0x09 if index % 3 else 0x08, name)
        if len(data) <= 27:
            data += ad(0x0A, b"\x04")
        if len(data) <= 25:
            data += ad(0x03, b"\x0f\x18")
        return data[:31]

    def malformed(self, form: int) -> bytes:
        beacon = self.beacons[self.pick(200)]
        frame = ibeacon(UUIDS[0], beacon.major, beacon.minor, beacon.power)
        return (
            FLAGS + b"\x1a\xff" + frame[:12],  # an AD structure that runs past the end
            FLAGS + ad(0xFF, frame[:-1]),  # an iBeacon without its power
            FLAGS + ad(0xFF, b"\x4c\x00\x02\x14" + frame[4:-1]),  # a wrong inner length
            FLAGS + ad(0xFF, b"\x4c"),  # half a company identifier
            b"",  # no data at all
            b"\x00" + ad(0xFF, frame)[:28],  # an early end
            FLAGS + b"\xff",  # a length with nothing behind it
            ad(0x01, b"\x06\x00\x00")[:2],  # truncated flags
            FLAGS + ad(0xFF, b"\x4c\x00\x02"),  # company and type only
            self.octets(self.pick(31) + 1),  # noise
        )[form]

    def next_report(self) -> tuple[bytes, int, bytes, int]:
        """Returns address, address type, data, RSSI."""
        x = self.source.random()
        if x < 0.70:
            device = self.beacons[self.pick(200)]
            rssi = device.level.step()
            expected = self.expected
            expected.count += 1
            expected.major += device.major
            expected.minor += device.minor
            expected.measured_power += device.power
            expected.rssi += rssi
            expected.uuid_bytes += device.uuid_bytes
            return device.address, device.address_type, device.data, rssi
        if x < 0.82:
            device = self.nearby[self.pick(60)]
            if device.left == 0:
                device.data = ad(0x01, b"\x1a") + ad(0x0A, b"\x0c") + ad(0xFF, b"\x4c\x00\x10\x05" + self.octets(5))
                device.left = 200
            device.left -= 1
        elif x < 0.90:
            device = self.find_my[self.pick(40)]
            if device.left == 0:
                device.data = ad(0xFF, b"\x4c\x00\x12\x19\x10" + self.octets(22) + b"\x01\x00")
                device.address = self.octets(6)
                device.left = 900
            device.left -= 1
        elif x < 0.93:
            device = self.eddystone[self.pick(20)]
        elif x < 0.95:
            device = self.alt_beacons[self.pick(20)]
        elif x < 0.98:
            device = self.named[self.pick(40)]
        else:
            form = self.pick(10)
            data = self.malformed(form)
            return self.broken_addresses[form], 1, data, self.broken_levels[form].step()
        return device.address, device.address_type, device.data, device.level.step()

    def events(self, count: int) -> Iterator[bytes]:
        """HCI events, starting with the event code."""
        for _ in range(count):
            address, address_type, data, rssi = self.next_report()
            level = struct.pack("b", rssi)
            if self.source.random() < 0.20:
                body = (
                    b"\x0d\x01\x13\x00" + bytes((address_type,)) + address + b"\x01\x00\xff\x7f" + level
                    + b"\x00\x00\x00" + bytes(6) + bytes((len(data),)) + data
                )
            else:
                body = b"\x02\x01\x00" + bytes((address_type,)) + address + bytes((len(data),)) + data + level
            yield bytes((0x3E, len(body))) + body


def write(events: int, folder: pathlib.Path) -> Expected:
    workload = Workload()
    record = struct.Struct(">IIIIq")
    controller = bytes.fromhex("665544332211")
    index_records = [
        (0xFFFF, 12, b"Linux version 6.1.0 (x86_64)\0"),  # system note
        (0, 0, b"\x00\x01" + controller + b"hci0\0\0\0\0"),  # new index
        (0, 8, b""),  # open index
        (0, 10, controller + b"\x02\x00"),  # index info
    ]
    with (
        open(folder / f"{events}.monitor.btsnoop", "wb", 1 << 20) as monitor,
        open(folder / f"{events}.h4.btsnoop", "wb", 1 << 20) as h4,
    ):
        monitor.write(b"btsnoop\0" + struct.pack(">II", 1, 2001))
        h4.write(b"btsnoop\0" + struct.pack(">II", 1, 1002))
        for adapter, opcode, payload in index_records:
            monitor.write(record.pack(len(payload), len(payload), adapter << 16 | opcode, 0, START) + payload)
        time = START
        for event in workload.events(events):
            time += 1000
            size = len(event)
            monitor.write(record.pack(size, size, 3, 0, time) + event)
            h4.write(record.pack(size + 1, size + 1, 3, 0, time) + b"\x04" + event)
    # This is written last, to show that the other two files are complete.
    (folder / f"{events}.json").write_text(json.dumps(asdict(workload.expected), indent=1) + "\n")
    return workload.expected


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("events", type=int)
    parser.add_argument("folder", type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    print(json.dumps(asdict(write(arguments.events, arguments.folder))))
