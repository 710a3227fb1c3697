"""Makes further walks from surveyed ones: some beacons removed, readings lost, and every other walk backwards.

Each variant has its own truth, so that a setting that fits one order of beacons by chance does not fit all.
"""
import csv
import os
import random


def write(folder, walks, count, seed, beacons_kept=7):
    """Writes `count` variants of each walk, as a data folder."""
    draw = random.Random(seed)
    for walk in walks:
        with open(walk.path) as file:
            rows = list(csv.DictReader(file))
        minors = sorted({row["minor"] for row in rows}, key=int)
        times = [float(row["time"]) for row in rows]
        for index in range(count):
            kept = set(draw.sample(minors, min(beacons_kept, len(minors))))
            lost = draw.choice([0, 0, 0.3, 0.5])
            backwards = index % 2 == 1

            def turned(time, backwards=backwards):
                return min(times) + max(times) - time if backwards else time
            heard = [dict(row, time=f"{turned(float(row['time'])):.3f}") for row in rows
                     if row["minor"] in kept and draw.random() >= lost]
            base = os.path.join(folder, f"{walk.name}-{index}")
            with open(base + ".obs.csv", "w", newline="") as file:
                out = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
                out.writeheader()
                out.writerows(sorted(heard, key=lambda row: float(row["time"])))
            with open(base + ".truth.csv", "w", newline="") as file:
                out = csv.writer(file, lineterminator="\n")
                out.writerow(["time", "minor", "distance_m"])
                truth = [(turned(time), minor, metres) for time, distances in walk.truth.items()
                         for minor, metres in distances.items() if str(minor) in kept]
                out.writerows([f"{time:.3f}", minor, metres] for time, minor, metres in sorted(truth))
