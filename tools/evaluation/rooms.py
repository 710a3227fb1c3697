"""Decides a beacon's room by the room scanners that receive it: a contest of scanners instead of beacons."""
import collections
import csv
import gzip
import json
import os
import tempfile

import fleet
import peers
import program
import scoring

#: Seconds at both ends of a stay that are not scored.
GUARD = 10


def events(path):
    with gzip.open(path, "rt") as file:
        text = file.read()
    decoder, index = json.JSONDecoder(), 0
    while True:
        while index < len(text) and text[index] in " \n\r\t,":
            index += 1
        if index >= len(text):
            return
        event, index = decoder.raw_decode(text, index)
        yield event


def load(data):
    """(run, readings as (s, scanner, power, rssi), stays as (room, from, to)) of each beacon."""
    folder = os.path.join(data, "rssi/starksm")
    labels = os.path.join(folder, "movements_derived.csv")
    if not os.path.exists(labels):
        return []
    stays = collections.defaultdict(lambda: collections.defaultdict(list))
    with open(labels) as file:
        for row in csv.DictReader(file):
            stays[row["run"]][int(row["beacon"])].append((row["room"], int(row["from_ms"]) / 1e3, int(row["to_ms"]) / 1e3))
    found = []
    for run, beacons in stays.items():
        readings = collections.defaultdict(list)
        for event in events(os.path.join(folder, run)):
            if event["minor"] in beacons and -120 < event["rssi"] < 0:
                readings[event["minor"]].append(
                    (event["time"] / 1e3, event["scannerID"], event["power"] or event["calibratedPower"] or -62,
                     event["rssi"]))
        for beacon, rows in readings.items():
            found.append((run.split(".")[0], sorted(rows), [stay for stay in beacons[beacon] if stay[0]]))
    return found


def ours(beaconctl, rows, times):
    names = sorted({scanner for _, scanner, _, _ in rows})
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rooms.csv")
        with open(path, "w") as file:
            file.write("time,scanner,uuid,major,minor,measured_power,rssi\n")
            for time, scanner, power, rssi in rows:
                file.write(f"{time:.3f},x,0b7a1c5e-3f0d-4c65-8a52-9d1be2f7c001,1,{names.index(scanner) + 1},{power},{rssi}\n")
        walk = scoring.Walk("rooms", path, rows, {time: {} for time in times})
        found = program.at_each_second(beaconctl, walk)
    return {time: ranking["nearest"] and names[ranking["nearest"]["minor"] - 1] for time, ranking in found.items()}


def by_fleet(program, rows, times):
    """What beacon-fleet answers where each scanner stands in a room of its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rooms.csv")
        with open(path, "w") as file:
            file.write("time,scanner,uuid,major,minor,measured_power,rssi\n")
            for time, scanner, power, rssi in rows:
                file.write(f"{time:.3f},{scanner},{fleet.building.UUID},1,1,{power},{rssi}\n")
        changes = fleet.changes(program, path)[1]
    return fleet.each_second(changes, times)


def table(beaconctl, fleet_program, data):
    runs = load(data)
    if not runs:
        return False
    methods = [(name, lambda rows, times, make=make: scoring.follow(
        make(), scoring.Walk("rooms", "", rows, {time: {} for time in times}))) for name, make in peers.ALL]
    if beaconctl:
        methods.append(("beaconctl", lambda rows, times: ours(beaconctl, rows, times)))
    if fleet_program:
        methods.append(("beacon-fleet", lambda rows, times: by_fleet(fleet_program, rows, times)))
    print(f"\nrooms ({len(runs)} beacons carried between room scanners): share of seconds right, changes a minute")
    for name, follow in methods:
        seconds = right = changes = 0
        for _, rows, stays in runs:
            times = [float(time) for time in range(int(rows[0][0]) + 1, int(rows[-1][0]) + 1)]
            answers, heard, last, index = follow(rows, times), {}, -1e9, 0
            for time in times:
                while index < len(rows) and rows[index][0] <= time:
                    last = rows[index][0]
                    index += 1
                heard[time] = time - last <= 10
            for room, begin, end in stays:
                before = None
                for time in times:
                    if begin + GUARD <= time <= end - GUARD and heard[time]:
                        seconds += 1
                        right += answers.get(time) == room
                        changes += before is not None and answers.get(time) != before
                        before = answers.get(time)
        print(f"{name:26s} {right / max(1, seconds):6.3f} {60 * changes / max(1, seconds):6.2f}")
    return True
