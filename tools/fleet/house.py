"""A building on whose air all scanners are: a controller behind H4 for each of them, and beacons that are received by
each controller as its scanner would receive them."""
from __future__ import annotations

import contextlib
import math
import pathlib
import random
import socket
import struct
import sys
import threading
import time
import uuid

tools = pathlib.Path(__file__).resolve().parent.parent
sys.path += [str(tools / "load"), str(tools / "evaluation")]
import building
import radio

UUID = uuid.UUID(building.UUID).bytes
#: Steps of a second. Each beacon is sent once a second, in a step of its own.
STEPS = 10
#: Far from everything: only the scanner there receives what is there.
ANNEXES = [(0, 60, 80), (0, 160, 80), (0, 260, 80)]
#: Beacons in each of them.
IN_ANNEX = 3


class Controller(radio.Radio):
    """Receives what the air gives it."""

    def accepted(self, connection: socket.socket) -> None:
        pass

    def hear(self, packets: list[bytes]) -> None:
        for connection in list(self.connections):
            with contextlib.suppress(OSError):
                connection.sendall(b"".join(packets))


class Commuter(building.Beacon):
    """Is carried from the first annex to the second and back. Each has a scanner of its own, so that its room changes for
    certain, and with it some answer of any span that is compared."""

    #: Seconds in each of them.
    STAY = 8

    def __init__(self, plan: building.Building, minor: int) -> None:
        super().__init__(random.Random(minor), plan, minor, True)
        self.seconds = 0

    def move(self, seconds: float) -> None:
        self.seconds += seconds
        self.room = ANNEXES[int(self.seconds / self.STAY) % 2]
        self.x, self.y = self.room[1] * building.ROOM[0] + 4, self.room[2] * building.ROOM[1] + 4


class House:
    """Scanners, of which the last three stand in annexes, and beacons, of which the last nine lie there; the one before
    them is carried from one annex to another."""

    def __init__(self, folder: pathlib.Path, scanners: int, beacons: int) -> None:
        large = scanners > 8
        #: The longest stay of a carried beacon in a room, in seconds, so that some change rooms even in a short trial.
        self.longest_rest = 240 if large else 4
        carried_or_not = beacons - IN_ANNEX * len(ANNEXES)
        self.plan = building.Building(
            11, floors=2 if large else 1, columns=3 if large else 1, scanners=scanners - len(ANNEXES),
            beacons=carried_or_not, standing=carried_or_not * 3 // 5, loss=0.1)
        rng = self.plan.rng
        self.plan.beacons[-1] = Commuter(self.plan, carried_or_not)
        for room in ANNEXES:
            x, y = room[1] * building.ROOM[0] + 4, room[2] * building.ROOM[1] + 3
            name = f"pi-{len(self.plan.scanners) + 1}"
            self.plan.scanners.append(building.Scanner(rng, name, self.plan.name(room), room[0], x, y, 2))
            for number in range(IN_ANNEX):
                beacon = building.Beacon(rng, self.plan, len(self.plan.beacons) + 1, False)
                beacon.room, beacon.x, beacon.y = room, x + number - 1, y + 2
                self.plan.beacons.append(beacon)
        self.controllers = {}
        for scanner in self.plan.scanners:
            place = folder / scanner.name
            place.mkdir()
            self.controllers[scanner.name] = Controller(str(place), genuine=0)
        self.is_over = False
        self.sent = 0
        #: The longest delay of the air.
        self.lag = 0.0
        threading.Thread(target=self.run, daemon=True).start()

    @property
    def scanners(self):
        return self.plan.scanners

    def beacons_of(self, annex: int) -> list[int]:
        """The minor values of those in an annex, counted from 0."""
        first = len(self.plan.beacons) - IN_ANNEX * (len(ANNEXES) - annex) + 1
        return list(range(first, first + IN_ANNEX))

    def run(self) -> None:
        rng, step, due = self.plan.rng, 0, time.monotonic()
        while not self.is_over:
            heard = {name: [] for name in self.controllers}
            for beacon in self.plan.beacons:
                if beacon.minor % STEPS != step % STEPS:
                    continue
                beacon.rest = min(beacon.rest, self.longest_rest)
                beacon.move(1)
                address = struct.pack("<HHH", 1, beacon.minor, 0xC000)
                identity = UUID + struct.pack(">HH", 1, beacon.minor)
                for scanner in self.plan.scanners:
                    level = self.plan.level(beacon, scanner, 1)
                    if level is None or rng.random() < self.plan.loss:
                        continue
                    fading = abs(complex(1 + rng.gauss(0, 0.3), rng.gauss(0, 0.3)))
                    rssi = round(level + 20 * math.log10(max(fading, 0.05)))
                    if rssi >= building.SENSITIVITY:
                        heard[scanner.name].append(radio.report(address, identity, max(-127, min(20, rssi))))
                        self.sent += 1
            for name, packets in heard.items():
                if packets:
                    self.controllers[name].hear(packets)
            step, due = step + 1, due + 1 / STEPS
            self.lag = max(self.lag, time.monotonic() - due)
            time.sleep(max(0, due - time.monotonic()))

    def close(self) -> None:
        self.is_over = True
        for controller in self.controllers.values():
            controller.close()
