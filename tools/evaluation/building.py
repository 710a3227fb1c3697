"""A made-up building from a seed: rooms on floors, walls, people, scanners with unequal antennas, and beacons that are
carried about or stand still. Written as what the scanners heard (observation CSV), the scanners' places, and the truth.

Levels fall with the distance and with each wall and ceiling on the way. The pattern of reflections is fixed for each
scanner and place and varies over about a metre; a body shades what is behind it; shadows of other people come and go;
and each reading fades. None of the numbers is taken from a recording.
"""
import csv
import json
import math
import os
import random

UUID = "0b7a1c5e-3f0d-4c65-8a52-9d1be2f7c001"
CLAIMED = -59
ROOM = (8.0, 6.0)
HEIGHT = 3.5
#: Weaker readings are not received.
SENSITIVITY = -96


class Scanner:
    def __init__(self, rng, name, room, floor, x, y, unequal):
        self.name, self.room, self.floor, self.x, self.y = name, room, floor, x, y
        self.gain = rng.gauss(0, unequal)
        #: The pattern of reflections: waves over the floor, with lengths of one to some metres.
        self.waves = []
        for _ in range(12):
            length, angle = rng.uniform(0.8, 5), rng.uniform(0, 2 * math.pi)
            self.waves.append((2 * math.pi / length * math.cos(angle), 2 * math.pi / length * math.sin(angle),
                               rng.uniform(0, 2 * math.pi)))
        #: When it dies, hears nothing and says so, or hears nothing and does not know it: (from, to, "dead" or "blind").
        self.faults = []

    def pattern(self, x, y, sigma):
        return sigma * math.sqrt(2 / len(self.waves)) * sum(math.cos(a * x + b * y + c) for a, b, c in self.waves)

    def hears(self, time):
        return not any(begin <= time < end for begin, end, _ in self.faults)


class Beacon:
    """Goes from room to room and rests there, or stands still."""

    def __init__(self, rng, building, minor, is_carried):
        self.rng, self.building, self.minor, self.is_carried = rng, building, minor, is_carried
        self.power = CLAIMED + rng.gauss(0, 3)
        self.interval = rng.choice([0.1, 0.35, 1.0])
        self.room = rng.choice(building.rooms)
        self.x, self.y = building.spot(rng, self.room)
        self.heading = rng.uniform(0, 2 * math.pi)
        self.shades = {}
        self.way, self.rest = [], rng.uniform(5, 90)

    def move(self, seconds):
        if not self.is_carried:
            return
        if self.rest > 0:
            self.rest -= seconds
            # People who stand turn around and take small steps.
            if self.rng.random() < seconds / 8:
                self.heading = self.rng.uniform(0, 2 * math.pi)
            if self.rng.random() < seconds / 20:
                self.way = [(self.room, *self.building.spot(self.rng, self.room))]
            elif not self.way:
                return
        if not self.way:
            self.way, self.rest = self.building.way(self.rng, self.room, self.x, self.y), 0
        room, x, y = self.way[0]
        dx, dy = x - self.x, y - self.y
        distance = math.hypot(dx, dy)
        self.heading = math.atan2(dy, dx) if distance else self.heading
        if distance <= seconds:
            self.x, self.y, self.room = x, y, room
            self.way.pop(0)
            if not self.way and self.rest <= 0:
                self.rest = self.rng.uniform(20, 240)
        else:
            self.x += dx * seconds / distance
            self.y += dy * seconds / distance
            if room[0] == self.room[0]:
                self.room = self.building.room_at(self.room[0], self.x, self.y)


class Building:
    """`floors` of `columns` times two rooms; a door between neighbours, and stairs between the first rooms of floors."""

    def __init__(self, seed, floors=2, columns=3, scanners=20, beacons=12, standing=4, wall=5.0, exponent=2.0,
                 unequal=4.0, body=8.0, pattern=4.0, shadow=2.5, loss=0.4, without=0):
        self.rng = rng = random.Random(seed)
        self.floors, self.columns = floors, columns
        self.wall, self.exponent, self.body, self.patterns, self.shadow, self.loss = wall, exponent, body, pattern, shadow, loss
        self.rooms = [(floor, column, row) for floor in range(floors) for column in range(columns) for row in range(2)]
        self.walls = {}
        rooms = self.rooms[without:]
        self.scanners = []
        for number in range(scanners):
            room = rooms[number] if number < len(rooms) else rng.choice(rooms)
            x, y = self.spot(rng, room, 0.4)
            self.scanners.append(Scanner(rng, f"pi-{number + 1}", self.name(room), room[0], x, y, unequal))
        self.beacons = [Beacon(rng, self, minor + 1, minor >= standing) for minor in range(beacons)]

    def name(self, room):
        floor, column, row = room
        return f"{'GUABCD'[floor]}{column * 2 + row + 1}"

    def room_at(self, floor, x, y):
        column = min(self.columns - 1, max(0, int(x // ROOM[0])))
        return (floor, column, min(1, max(0, int(y // ROOM[1]))))

    def spot(self, rng, room, margin=1.0):
        _, column, row = room
        return (rng.uniform(column * ROOM[0] + margin, (column + 1) * ROOM[0] - margin),
                rng.uniform(row * ROOM[1] + margin, (row + 1) * ROOM[1] - margin))

    def way(self, rng, room, x, y):
        """Through doors to another room, mostly a neighbour."""
        steps = 1 if rng.random() < 0.6 else rng.randint(2, 4)
        way, before = [], None
        for _ in range(steps):
            floor, column, row = room
            near = [each for each in [(floor, column + 1, row), (floor, column - 1, row), (floor, column, 1 - row)]
                    if each in self.rooms and each != before] or [(floor, column, 1 - row)]
            if (column, row) == (0, 0) and self.floors > 1 and rng.random() < 0.4:
                other = ((floor + 1) % self.floors, 0, 0)
                way += [(room, 1.0, 1.0), (other, 1.0, 1.0)]
                before, room = room, other
                continue
            following = rng.choice(near)
            if following[1] != column:
                door = (max(column, following[1]) * ROOM[0], (row + 0.5) * ROOM[1])
            else:
                door = ((column + 0.3) * ROOM[0], ROOM[1])
            way.append((room, *door))
            before, room = room, following
        return way + [(room, *self.spot(rng, room))]

    def level(self, beacon, scanner, seconds):
        """dBm, before it fades."""
        dx, dy = scanner.x - beacon.x, scanner.y - beacon.y
        floors = abs(scanner.floor - beacon.room[0])
        distance = math.sqrt(dx * dx + dy * dy + (floors * HEIGHT) ** 2 + 1)
        level = beacon.power + scanner.gain - 10 * self.exponent * math.log10(distance) - 16 * floors
        column, row = int(scanner.x // ROOM[0]), int(scanner.y // ROOM[1])
        level -= self.wall * (abs(column - int(beacon.x // ROOM[0])) + abs(row - int(beacon.y // ROOM[1])))
        if level < SENSITIVITY - 20:
            return None
        level += scanner.pattern(beacon.x, beacon.y, self.patterns)
        if beacon.is_carried:
            level -= self.body * (1 - math.cos(math.atan2(dy, dx) - beacon.heading)) / 2
        kept = math.exp(-seconds / 15)
        shade = beacon.shades.get(scanner.name, 0.0)
        shade = kept * shade + math.sqrt(1 - kept * kept) * self.rng.gauss(0, self.shadow)
        beacon.shades[scanner.name] = shade
        return level + shade

    def lesson(self, room, seconds=120):
        """What the scanners hear of a beacon with which somebody walks about in a room, as `run` tells it."""
        beacon = Beacon(self.rng, self, 1, True)
        beacon.room, (beacon.x, beacon.y) = room, self.spot(self.rng, room)
        beacon.rest, beacon.way = 0, [(room, *self.spot(self.rng, room)) for _ in range(seconds)]
        before, self.beacons = self.beacons, [beacon]
        rows, _ = self.run(seconds)
        self.beacons = before
        return rows

    def run(self, seconds):
        """((time, scanner, minor, rssi), …) and {minor: [(time, room), …]}."""
        rng = self.rng
        rows, truth = [], {beacon.minor: [] for beacon in self.beacons}
        for second in range(seconds):
            for beacon in self.beacons:
                beacon.move(0.5)
                truth[beacon.minor].append((second + 0.5, self.name(beacon.room)))
                for scanner in self.scanners:
                    level = self.level(beacon, scanner, 1)
                    if level is None or not scanner.hears(second):
                        continue
                    time = second + rng.random() * min(1, beacon.interval)
                    while time < second + 1:
                        if rng.random() >= self.loss:
                            fading = abs(complex(1 + rng.gauss(0, 0.3), rng.gauss(0, 0.3)))
                            rssi = round(level + 20 * math.log10(max(fading, 0.05)))
                            if rssi >= SENSITIVITY:
                                rows.append((time, scanner.name, beacon.minor, rssi))
                        time += beacon.interval + rng.random() * 0.01
                beacon.move(0.5)
        rows.sort()
        return rows, truth


#: Name: what differs from the usual building.
SETS = {
    "20 scanners, 12 rooms": {},
    "thick walls": {"wall": 9.0, "exponent": 2.4},
    "glass walls": {"wall": 2.5, "exponent": 1.8},
    "antennas 7 dB apart": {"unequal": 7.0},
    "a scanner a room, busy": {"scanners": 12, "loss": 0.7, "shadow": 4.0, "body": 12.0},
    "two rooms without a scanner": {"without": 2},
    "two rooms": {"floors": 1, "columns": 1, "scanners": 2, "beacons": 6, "standing": 2},
}


def write_observations(path, rows, start):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["time", "scanner", "uuid", "major", "minor", "measured_power", "rssi"])
        for time, scanner, minor, rssi in rows:
            writer.writerow([f"{start + time:.3f}", scanner, UUID, 1, minor, CLAIMED, rssi])


def write(folder, name, building, seconds, start=1000.0):
    """NAME.obs.csv, .rooms.csv, .places.json (scanners), .plan.json (and rooms), and a .lesson.csv for each room without a scanner."""
    rows, truth = building.run(seconds)
    place = os.path.join(folder, name)
    write_observations(place + ".obs.csv", rows, start)
    with open(place + ".rooms.csv", "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["time", "minor", "room"])
        for minor, stays in truth.items():
            for time, room in stays:
                writer.writerow([f"{start + time:.1f}", minor, room])
    scanners = [{"scanner": each.name, "room": each.room, "floor": each.floor, "x": round(each.x, 1),
                 "y": round(each.y, 1)} for each in building.scanners]
    rooms = [{"room": building.name(room), "floor": room[0], "from": [room[1] * ROOM[0], room[2] * ROOM[1]],
              "to": [(room[1] + 1) * ROOM[0], (room[2] + 1) * ROOM[1]]} for room in building.rooms]
    with open(place + ".places.json", "w") as file:
        json.dump(scanners, file, indent=1)
    with open(place + ".plan.json", "w") as file:
        json.dump({"scanners": scanners, "rooms": rooms}, file, indent=1)
    held = {each.room for each in building.scanners}
    for room in building.rooms:
        if building.name(room) not in held:
            write_observations(f"{place}.{room[0]}.{building.name(room)}.lesson.csv", building.lesson(room), start)
    return place
