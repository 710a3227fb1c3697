"""Recordings at known distances, read or simulated, and how accurate the distances and their intervals are on them."""
import ast
import collections
import concurrent.futures
import csv
import glob
import gzip
import json
import math
import os
import random
import statistics
import subprocess
import tempfile

import program

UUID = "0b7a1c5e-3f0d-4c65-8a52-9d1be2f7c001"
#: One beacon at one distance; rows of (seconds, rssi).
Recording = collections.namedtuple("Recording", "place beacon metres power rows")
#: Distances at which a calibration measures.
ONE, THREE = (1.0,), ((1.0, 3.0, 4.0), (1.0, 3.0, 6.0))


def nist(data):
    """Two Raspberry Pis in line of sight. The power of -59 dBm is invented. A reading in 10 s counts as one in 1 s."""
    found = []
    for path in sorted(glob.glob(os.path.join(data, "rssi/nist_rpi_en/*.csv"))):
        parts = os.path.basename(path)[:-4].split("_")
        levels = []
        with open(path) as file:
            for row in csv.DictReader(file):
                try:
                    rssi = int(row["RSSI"])
                except (TypeError, ValueError):
                    continue
                if -110 < rssi < 0:
                    levels.append(rssi)
        found.append(Recording("nist", parts[-1], int(parts[1][:-2]) / 100, -59,
                               [(1.6e9 + index, rssi) for index, rssi in enumerate(levels)]))
    return found


def hst(data):
    """A beacon at surveyed spots, received by twelve fixed sensors. The power of -59 dBm is invented."""
    names = os.path.join(data, "rssi/philotuxo/cnf_tetam.dev")
    if not os.path.exists(names):
        return []
    with open(names) as file:
        line = next(line for line in file if line.startswith("Dongles"))
    places = ast.literal_eval(line.split(":", 1)[1].strip())
    found = []
    for number in "12":
        groups = collections.defaultdict(list)
        with gzip.open(os.path.join(data, f"rssi/philotuxo/hst_set_{number}_first250.csv.gz"), "rt") as file:
            for row in csv.DictReader(file):
                key = row["sensor_mac"], row["beacon_x_m"], row["beacon_y_m"], row["beacon_z_m"]
                groups[key].append((float(row["timestamp_s"]), int(row["rssi_dbm"])))
        for (sensor, *spot), rows in groups.items():
            metres = math.dist([float(value) for value in spot], places[sensor][0])
            found.append(Recording("set " + number, sensor, round(metres, 2), -59, sorted(rows)))
    return found


def hall(exponent, spot, seed, beacons=20):
    """A simulated hall: stated powers wrong by 5 dB, 30 s at each spot, two readings a second."""
    draw = random.Random(f"{exponent} {spot} {seed}")
    found = []
    for beacon in range(beacons):
        power = -59 + draw.gauss(0, 5)
        for metres in (0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0):
            level = power - 10 * exponent * math.log10(metres) + draw.gauss(0, spot)
            rows = [(1.6e9 + step / 2, max(-120, min(-1, round(level + draw.gauss(0, 4))))) for step in range(60)]
            found.append(Recording("hall", str(beacon), metres, -59, rows))
    return found


def write(recording, path):
    with open(path, "w") as file:
        file.write("time,scanner,uuid,major,minor,measured_power,rssi\n")
        for time, rssi in recording.rows:
            file.write(f"{time:.3f},rx,{UUID},1,1,{recording.power},{rssi}\n")


def calibrated(beaconctl, recordings):
    """The settings that `beaconctl calibrate` writes for recordings at known distances; None where it refuses."""
    with tempfile.TemporaryDirectory() as folder:
        command = [beaconctl, "calibrate", "--config", "none", "--format", "json", "--beacon", UUID + "/1/1"]
        for index, recording in enumerate(recordings):
            path = os.path.join(folder, f"{index}.csv")
            write(recording, path)
            command += ["--source", "file:" + path, "--distance", str(recording.metres)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if done.returncode or not done.stdout:
        return None
    found = json.loads(done.stdout)
    if found["recommendation"] == "measure_again":
        return None
    text = "ranging:\n"
    if found.get("path_loss_exponent_usable"):
        text += (f"  path_loss_exponent: {found['path_loss_exponent']}\n"
                 f"  path_loss_exponent_deviation: {found['path_loss_exponent_deviation']}\n")
    if found["recommendation"] != "keep":
        text += corrections(found["measured_power"], found["deviation_db"])
    return text


def corrections(power, deviation):
    return (f"  corrections:\n    - uuid: {UUID}\n      measured_power: {power:.2f}\n"
            f"      deviation_db: {deviation:.2f}\n")


def seconds_of(beaconctl, recording, settings):
    """(truth, distance, low, high, class) of at most 60 seconds, without the first five."""
    with tempfile.TemporaryDirectory() as folder:
        path, config = os.path.join(folder, "o.csv"), os.path.join(folder, "c.yaml")
        write(recording, path)
        with open(config, "w") as file:
            file.write(settings or "")
        rankings = program.rankings(beaconctl, path, config if settings else "none")
    first, last = recording.rows[0][0], recording.rows[-1][0]
    found = []
    for ranking in rankings:
        time = program.seconds(ranking["time"])
        if not ranking["beacons"] or time - first < min(5, (last - first) / 4) or time > last + 0.5:
            continue
        beacon = ranking["beacons"][0]
        if beacon.get("distance_m") is not None:
            found.append((recording.metres, beacon["distance_m"], beacon["distance_low_m"], beacon["distance_high_m"],
                          beacon["proximity"]))
    return found if len(found) <= 60 else [found[index * len(found) // 60] for index in range(60)]


def class_of(metres):
    return "immediate" if metres <= 0.5 else "near" if metres <= 3 else "far"


def row(name, found):
    hold = sum(low <= truth <= high for truth, _, low, high, _ in found) / len(found)
    above = sum(truth > high for truth, _, _, high, _ in found) / len(found)
    width = statistics.median(high / low for _, _, low, high, _ in found)
    error = statistics.median(abs(metres - truth) for truth, metres, *_ in found)
    clear = [(truth, kind) for truth, *_, kind in found if all(abs(truth / edge - 1) > 0.15 for edge in (0.5, 3))]
    right = sum(class_of(truth) == kind for truth, kind in clear) / max(1, len(clear))
    return (f"{name:34s} {hold:6.2f} {1 - hold - above:6.2f} {above:6.2f} {width:6.1f} {error:8.2f} {right:6.2f} "
            f"{len(found):8d}")


HEADER = f"{'':34s} {'inside':>6s} {'below':>6s} {'above':>6s} {'width':>6s} {'error_m':>8s} {'class':>6s} {'seconds':>8s}"


def table(beaconctl, sets):
    """`sets`: (name, recordings). Inside: share with the truth in the 80 % interval; width: median of high/low."""
    print(f"\nrecordings at known distances\n{HEADER}")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        def measure(pairs):
            return [second for found in pool.map(lambda pair: seconds_of(beaconctl, *pair), pairs) for second in found]
        for name, recordings in sets:
            print(row(f"{name}, as shipped", measure([(recording, None) for recording in recordings])))
            if recordings[0].place.startswith("set "):
                # No spot is at exactly 1 m: fit the power to the near spots of one half, and show it on the other half.
                near = [r for r in recordings if r.place == "set 2" and r.metres <= 4]
                power = statistics.median(
                    statistics.mean(rssi for _, rssi in r.rows) + 22 * math.log10(r.metres) for r in near)
                text = "ranging:\n" + corrections(power, 3)
                print(row(f"{name}, claim fitted (3 dB)",
                          measure([(r, text) for r in recordings if r.place == "set 1"])))
                continue
            by_beacon = collections.defaultdict(dict)
            for recording in recordings:
                by_beacon[recording.beacon][recording.metres] = recording
            for label, choices in (("after 1 m", (ONE,)), ("after three distances", THREE)):
                pairs = []
                for found in by_beacon.values():
                    distances = next((c for c in choices if all(metres in found for metres in c)), None)
                    text = distances and calibrated(beaconctl, [found[metres] for metres in distances])
                    if text:
                        pairs += [(r, text) for metres, r in found.items() if metres not in distances]
                if pairs:
                    print(row(f"{name}, {label}", measure(pairs)))
