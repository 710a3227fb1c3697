"""Simulated walks through a hall of beacons from a seed: positions, path loss, moving shadows, fading, loss.

The receiver goes from beacon to beacon at 1 m/s and stays up to 25 s at each. Every beacon's true power differs from
the one it states, as in the field.
"""
import csv
import math
import os
import random

UUID = "0b7a1c5e-3f0d-4c65-8a52-9d1be2f7c001"
CLAIMED = -60
#: name: advertisements a second, share of them lost.
SETS = {"2 Hz, 5 % lost": (2, 0.05), "10 Hz, 20 % lost": (10, 0.2), "1 Hz, 50 % lost": (1, 0.5)}


class Hall:
    def __init__(self, seed, rate, loss, beacons=10, exponent=2.2, power_error=3.0, shadow=3.0):
        self.random = random.Random(seed)
        self.rate, self.loss, self.exponent, self.shadow = rate, loss, exponent, shadow
        self.places = [(self.random.uniform(0, 18), self.random.uniform(0, 12)) for _ in range(beacons)]
        self.powers = [CLAIMED + self.random.gauss(0, power_error) for _ in range(beacons)]
        self.shadows = [self.random.gauss(0, shadow) for _ in range(beacons)]
        self.position = [self.random.uniform(0, 18), self.random.uniform(0, 12)]
        self.target, self.rest = None, 0.0

    def move(self, seconds):
        if self.rest > 0:
            self.rest -= seconds
            return
        if self.target is None:
            x, y = self.random.choice(self.places)
            self.target = (x + self.random.gauss(0, 1), y + self.random.gauss(0, 1))
        dx, dy = self.target[0] - self.position[0], self.target[1] - self.position[1]
        way = math.hypot(dx, dy)
        if way <= seconds:
            self.position, self.target, self.rest = list(self.target), None, self.random.uniform(0, 25)
        else:
            self.position[0] += dx * seconds / way
            self.position[1] += dy * seconds / way

    def distance(self, beacon):
        x, y = self.places[beacon]
        return math.sqrt((x - self.position[0]) ** 2 + (y - self.position[1]) ** 2 + 1)

    def reading(self, beacon, seconds):
        # Shadowing changes within about five seconds.
        kept = math.exp(-seconds / 5)
        self.shadows[beacon] = (kept * self.shadows[beacon]
                                + math.sqrt(1 - kept * kept) * self.random.gauss(0, self.shadow))
        if self.random.random() < self.loss:
            return None
        # A direct path and many reflections (Rice).
        fading = abs(complex(1 + self.random.gauss(0, 0.35), self.random.gauss(0, 0.35)))
        level = (self.powers[beacon] - 10 * self.exponent * math.log10(self.distance(beacon))
                 + self.shadows[beacon] + 20 * math.log10(max(fading, 0.05)))
        return round(level) if level > -98 else None


def write(folder, name, hall, seconds=240, start=1000.0):
    step, time, second, rows, truth = 1 / hall.rate, 0.0, 1, [], []
    while time < seconds:
        hall.move(step)
        for beacon in range(len(hall.places)):
            rssi = hall.reading(beacon, step)
            if rssi is not None:
                rows.append((time + hall.random.random() * step, beacon, rssi))
        time += step
        if time >= second:
            truth += [(second, beacon, hall.distance(beacon)) for beacon in range(len(hall.places))]
            second += 1
    with open(os.path.join(folder, name + ".obs.csv"), "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow("time scanner uuid major minor measured_power rssi".split())
        for when, beacon, rssi in sorted(rows):
            out.writerow([f"{start + when:.3f}", "walker", UUID, 1, beacon, CLAIMED, rssi])
    with open(os.path.join(folder, name + ".truth.csv"), "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["time", "minor", "distance_m"])
        for when, beacon, metres in truth:
            out.writerow([f"{start + when:.3f}", beacon, f"{metres:.3f}"])


def generate(folder, seed, walks):
    """Writes all sets below `folder`; returns their names and folders."""
    sets = []
    for name, (rate, loss) in SETS.items():
        path = os.path.join(folder, name.replace(" ", "").replace("%", "").replace(",", "-"))
        os.makedirs(path, exist_ok=True)
        for index in range(walks):
            write(path, f"walk{index:02d}", Hall(seed * 1000 + index, rate, loss))
        sets.append((f"synthetic {name}", path))
    return sets
