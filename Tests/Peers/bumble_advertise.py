#!/usr/bin/env python3
"""Advertises an iBeacon with Bumble's host on a controller that speaks H4 on a loopback port.

Prints `on air` once the controller has taken every command, and ends on SIGTERM or SIGINT.
"""

from __future__ import annotations

import argparse
import asyncio
import uuid

from bumble.device import AdvertisingEventProperties, AdvertisingParameters, AdvertisingType, Device, LegacyAdvertiser
from bumble.hci import Address, OwnAddressType

from peer import IBeacon, powered_device, run


async def start_legacy(device: Device, data: bytes, interval_ms: float) -> None:
    # Device.start_advertising would take the extended commands wherever the controller has them.
    device.advertising_data = data
    device.advertising_interval_min = device.advertising_interval_max = interval_ms
    advertiser = LegacyAdvertiser(
        device, AdvertisingType.UNDIRECTED, OwnAddressType.RANDOM, Address.ANY, auto_restart=False
    )
    await advertiser.start()


async def start_extended(device: Device, data: bytes, interval_ms: float, legacy_pdus: bool) -> None:
    properties = AdvertisingEventProperties(is_connectable=False, is_scannable=False, is_legacy=legacy_pdus)
    parameters = AdvertisingParameters(
        advertising_event_properties=properties,
        primary_advertising_interval_min=interval_ms,
        primary_advertising_interval_max=interval_ms,
    )
    await device.create_advertising_set(advertising_parameters=parameters, advertising_data=data)


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("port", type=int, help="H4 port of the controller on 127.0.0.1")
    parser.add_argument("--uuid", type=uuid.UUID, default=uuid.UUID("636F3F8F-6491-4BEE-95F7-D8CC64A863B5"))
    parser.add_argument("--major", type=int, default=0)
    parser.add_argument("--minor", type=int, default=0)
    parser.add_argument("--power", type=int, default=-56, help="measured power at 1 m, dBm")
    parser.add_argument("--interval-ms", type=float, default=100)
    parser.add_argument("--address", default="F0:F1:F2:F3:F4:F5", help="random static address to send from")
    parser.add_argument("--extended", action="store_true", help="extended commands and extended PDUs")
    parser.add_argument("--legacy-pdus", action="store_true", help="with --extended: legacy PDUs on the air")
    arguments = parser.parse_args()

    beacon = IBeacon(arguments.uuid, arguments.major, arguments.minor, arguments.power)
    async with powered_device(arguments.port, arguments.address) as device:
        data = beacon.advertising_data()
        if arguments.extended:
            await start_extended(device, data, arguments.interval_ms, arguments.legacy_pdus)
        else:
            await start_legacy(device, data, arguments.interval_ms)
        print("on air", flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    run(main)
