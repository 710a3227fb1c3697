"""How long other readers of iBeacons take for the workload. Started by tools/bench/peers, once for each reader.

    peers.py READER FOLDER

prints the CPU time for an event in microseconds, and how many iBeacons it found, as JSON. READER is one of plain (Python
with struct), beacontools, bleparser and ibeacon-ble. Each gets the same 10,000 events from memory, again and again for
about two seconds, in the form that it takes: whole events, or payloads with address and level.
"""
from __future__ import annotations

import asyncio
import json
import pathlib
import struct
import sys
import time
from collections.abc import Callable

EVENTS = 10_000


def events(folder: pathlib.Path) -> list[bytes]:
    """The HCI packets of the workload, type octet first."""
    data = (folder / f"{EVENTS}.h4.btsnoop").read_bytes()
    found, offset = [], 16
    while offset < len(data):
        (length,) = struct.unpack_from(">I", data, offset + 4)
        found.append(data[offset + 24 : offset + 24 + length])
        offset += 24 + length
    return found


def reports(packet: bytes) -> list[tuple[str, int, bytes]]:
    """Address, level and payload of each report of an LE meta event."""
    if len(packet) < 5 or packet[1] != 0x3E or packet[3] not in (0x02, 0x0D):
        return []
    is_legacy, offset, found = packet[3] == 0x02, 5, []
    for _ in range(packet[4]):
        start = offset + (2 if is_legacy else 3)
        address = packet[start : start + 6][::-1].hex(":").upper()
        offset += 9 if is_legacy else 24
        if offset > len(packet):
            break
        size = packet[offset - 1]
        payload = packet[offset : offset + size]
        if len(payload) < size:
            break
        level = struct.unpack_from("b", packet, offset + size if is_legacy else offset - 11)[0]
        offset += size + is_legacy
        found.append((address, level, payload))
    return found


def plain() -> Callable[[bytes], int]:
    fields = struct.Struct(">16sHHb")

    def read(packet: bytes) -> int:
        found = 0
        for _, _, payload in reports(packet):
            at = 0
            while at < len(payload) and payload[at] and at + 1 + payload[at] <= len(payload):
                if payload[at] >= 26 and payload[at + 1 : at + 6] == b"\xff\x4c\x00\x02\x15":
                    fields.unpack_from(payload, at + 6)
                    found += 1
                    break
                at += 1 + payload[at]
        return found

    return read


def beacontools() -> Callable[[bytes], int]:
    from beacontools import IBeaconAdvertisement, parse_packet

    def read(packet: bytes) -> int:
        return sum(isinstance(parse_packet(payload), IBeaconAdvertisement) for _, _, payload in reports(packet))

    return read


def bleparser() -> Callable[[bytes], int]:
    from bleparser import BleParser

    parser = BleParser(discovery=True, filter_duplicates=False)

    def read(packet: bytes) -> int:
        # Some malformed events raise an exception, which its other users catch as well.
        try:
            sensor, tracker = parser.parse_raw_data(packet)
        except (struct.error, IndexError):
            return 0
        return "iBeacon" in str((sensor or {}).get("type", "")) or bool(tracker and tracker.get("uuid"))

    return read


def ibeacon_ble() -> Callable[[bytes], int]:
    from bluetooth_data_tools import parse_advertisement_data_bytes
    from home_assistant_bluetooth import BluetoothServiceInfo
    from ibeacon_ble import iBeaconParser

    parser = iBeaconParser()
    asyncio.run(parser.async_setup())

    def read(packet: bytes) -> int:
        found = 0
        for address, level, payload in reports(packet):
            name, services, service_data, manufacturers, _ = parse_advertisement_data_bytes(payload)
            info = BluetoothServiceInfo(name or address, address, level, manufacturers, service_data, services, "bench")
            try:
                found += parser.parse(info) is not None
            except IndexError:
                pass  # Apple's data of one octet.
        return found

    return read


READERS = {"plain": plain, "beacontools": beacontools, "bleparser": bleparser, "ibeacon-ble": ibeacon_ble}


def main() -> int:
    if len(sys.argv) != 3 or sys.argv[1] not in READERS:
        sys.exit(__doc__)
    packets = events(pathlib.Path(sys.argv[2]))
    read = READERS[sys.argv[1]]()
    found = sum(map(read, packets))
    rounds, began = 0, time.process_time()
    while (spent := time.process_time() - began) < 2:
        for packet in packets:
            read(packet)
        rounds += 1
    print(json.dumps({"microseconds": spent / rounds / len(packets) * 1e6, "found": int(found)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
