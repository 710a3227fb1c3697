"""What the Bumble programs share: the transport, signals, and the iBeacon frame.

The frame is written and read here a second time on purpose, by the words of Apple's specification and not by our
Swift code: a mistake in one of the two shows.
"""

from __future__ import annotations

import asyncio
import signal
import struct
import uuid
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from bumble.device import Device
from bumble.hci import Address
from bumble.transport import open_transport

APPLE = 0x004C
MANUFACTURER_SPECIFIC_DATA = 0xFF


@dataclass(frozen=True)
class IBeacon:
    uuid: uuid.UUID
    major: int
    minor: int
    measured_power: int

    def advertising_data(self) -> bytes:
        frame = struct.pack("<HBB", APPLE, 0x02, 0x15) + self.uuid.bytes
        frame += struct.pack(">HHb", self.major, self.minor, self.measured_power)
        flags = bytes([2, 0x01, 0x06])
        return flags + bytes([len(frame) + 1, MANUFACTURER_SPECIFIC_DATA]) + frame

    @staticmethod
    def parse(data: bytes) -> IBeacon | None:
        while data and data[0] > 0:
            structure, data = data[1 : 1 + data[0]], data[1 + data[0] :]
            if structure[:5] == b"\xff\x4c\x00\x02\x15" and len(structure) >= 26:
                major, minor, power = struct.unpack(">HHb", structure[21:26])
                return IBeacon(uuid.UUID(bytes=structure[5:21]), major, minor, power)
        return None


def run(main: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Runs a program until it returns or SIGTERM or SIGINT cancels it, wherever it waits."""

    async def cancellable() -> None:
        task = asyncio.current_task()
        assert task is not None
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, task.cancel)
        try:
            await main()
        except asyncio.CancelledError:
            pass

    asyncio.run(cancellable())


@asynccontextmanager
async def powered_device(port: int, address: str) -> AsyncIterator[Device]:
    """A Bumble host on a controller that speaks H4 on a loopback port."""
    async with await open_transport(f"tcp-client:127.0.0.1:{port}") as transport:
        device = Device.with_hci("peer", Address(address), transport.source, transport.sink)
        await device.power_on()
        yield device
