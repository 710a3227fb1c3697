#!/usr/bin/env python3
"""Scans with Bumble's host on a controller that speaks H4 on a loopback port.

Prints `{"scanning": true}` when it listens, then one JSON line for every iBeacon heard:

    {"address": …, "uuid": …, "major": …, "minor": …, "measured_power": …, "rssi": …, "connectable": …,
     "legacy_pdu": …, "data": HEX}

Ends on SIGTERM or SIGINT, or after --limit lines.
"""

from __future__ import annotations

import argparse
import asyncio
import json

from bumble.device import Advertisement

from peer import IBeacon, powered_device, run


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("port", type=int, help="H4 port of the controller on 127.0.0.1")
    parser.add_argument("--legacy", action="store_true", help="legacy scan commands")
    parser.add_argument("--limit", type=int, help="end after this many iBeacons")
    arguments = parser.parse_args()

    enough = asyncio.Event()
    heard = 0

    def on_advertisement(advertisement: Advertisement) -> None:
        nonlocal heard
        beacon = IBeacon.parse(advertisement.data_bytes)
        if beacon is None or enough.is_set():
            return
        line = {
            "address": advertisement.address.to_string(with_type_qualifier=False).lower(),
            "uuid": str(beacon.uuid),
            "major": beacon.major,
            "minor": beacon.minor,
            "measured_power": beacon.measured_power,
            "rssi": advertisement.rssi,
            "connectable": advertisement.is_connectable,
            "legacy_pdu": advertisement.is_legacy,
            "data": advertisement.data_bytes.hex(),
        }
        print(json.dumps(line), flush=True)
        heard += 1
        if heard == arguments.limit:
            enough.set()

    async with powered_device(arguments.port, "F5:F4:F3:F2:F1:F0") as device:
        device.on("advertisement", on_advertisement)
        await device.start_scanning(legacy=arguments.legacy, active=False)
        print(json.dumps({"scanning": True}), flush=True)
        await enough.wait()


if __name__ == "__main__":
    run(main)
