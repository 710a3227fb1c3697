"""In which room a beacon is, from the scanners of a building: how often right, how soon after a change, and how often
told wrongly that a resting beacon moved. Beside what others do with the same levels.
"""
import collections
import csv
import datetime
import glob
import json
import math
import os
import statistics
import subprocess

import building
import peers
import scoring

#: Seconds at both ends of a stay that are not scored.
GUARD = 10
#: Only changes to a stay of at least this length are timed. The answer must come within this time.
SHORTEST, LATEST = 15, 40


class Recording:
    def __init__(self, name, path):
        self.name, self.path = name, path
        with open(path + ".places.json") as file:
            self.places = json.load(file)
        truth = collections.defaultdict(dict)
        with open(path + ".rooms.csv") as file:
            for row in csv.DictReader(file):
                truth[int(row["minor"])][math.floor(float(row["time"]))] = row["room"]
        #: By minor: [room, first second, last second].
        self.stays = {minor: stays(rooms) for minor, rooms in truth.items()}
        self.seconds = range(min(map(min, truth.values())), max(map(max, truth.values())) + 1)
        #: By minor: seconds in which a scanner heard the beacon within the last ten.
        self.heard = collections.defaultdict(set)
        self.levels = collections.defaultdict(lambda: collections.defaultdict(list))
        with open(path + ".obs.csv") as file:
            for row in csv.DictReader(file):
                minor, time = int(row["minor"]), float(row["time"])
                self.levels[minor][math.floor(time)].append((time, row["scanner"], int(row["measured_power"]), int(row["rssi"])))
        for minor, levels in self.levels.items():
            for second in levels:
                self.heard[minor].update(range(second, second + 11))


def stays(rooms):
    found = []
    for second in sorted(rooms):
        if found and found[-1][0] == rooms[second]:
            found[-1][2] = second
        else:
            found.append([rooms[second], second, second])
    return found


class Strongest(peers.Windowed):
    """The strongest mean of five seconds."""
    window = silence = 5.0

    def metres(self, readings):
        return -10 * math.log10(statistics.fmean(10 ** (rssi / 10) for _, _, rssi in readings))


def followed(make):
    """A peer with scanners in the place of beacons, second by second, as {minor: {second: room}}."""
    def answers(recording):
        rooms = {place["scanner"]: place["room"] for place in recording.places}
        seconds = [second + 1 for second in recording.seconds]
        found = {}
        for minor in recording.stays:
            readings = [each for second in sorted(recording.levels[minor]) for each in recording.levels[minor][second]]
            told = scoring.follow(make(), scoring.Walk("rooms", "", readings, {second: {} for second in seconds}))
            found[minor] = {second: rooms.get(scanner) for second, scanner in told.items()}
        return found
    return answers


def changes(program, observations, places=None, lessons=()):
    """What beacon-fleet tells, as {minor: [(second, room or None), …]}."""
    command = [program, "locate", "--source", f"file:{observations}", "--format", "csv"]
    command += ["--places", places] if places else []
    for lesson in lessons:
        command += ["--taught", lesson]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found = collections.defaultdict(list)
    for row in csv.DictReader(text.splitlines()):
        time = datetime.datetime.fromisoformat(row["time"].replace("Z", "+00:00")).timestamp()
        found[int(row["minor"])].append((math.floor(time), row["room"] or None))
    return found


def each_second(told, seconds):
    """{second: room}, where the last change counts."""
    room, index, found = None, 0, {}
    for second in seconds:
        while index < len(told) and told[index][0] <= second:
            room = told[index][1]
            index += 1
        found[second] = room
    return found


def lessons(program, recording):
    """What is taught of the rooms that have no scanner."""
    for walk in sorted(glob.glob(glob.escape(recording.path) + ".*.lesson.csv")):
        floor, room = os.path.basename(walk)[:-len(".lesson.csv")].split(".")[-2:]
        result = walk[:-len(".csv")] + ".json"
        subprocess.run([program, "teach", room, "--floor", floor, "--beacon", "1.1", "--source", f"file:{walk}", "--output", result],
                       check=True)
        yield result


def ours(program, places=".places.json", teaches=False):
    def answers(recording):
        taught = list(lessons(program, recording)) if teaches else []
        told = changes(program, recording.path + ".obs.csv", recording.path + places, taught)
        seconds = range(recording.seconds.start, recording.seconds.stop + 1)
        return {minor: each_second(told[minor], seconds) for minor in recording.stays}
    return answers


class Score:
    def __init__(self):
        self.seconds = self.right = self.changes = self.missed = self.still = self.false = 0
        self.delays = []

    def add(self, recording, answers):
        for minor, rests in recording.stays.items():
            for number, (room, begin, end) in enumerate(rests):
                self.rest(recording.heard[minor], answers[minor], room, begin, end, is_still=len(rests) == 1)
                if number and end - begin >= SHORTEST:
                    self.change(answers[minor], room, begin, end)

    def rest(self, heard, answers, room, begin, end, is_still):
        before = None
        for second in range(begin + GUARD, end - GUARD + 1):
            if second not in heard:
                continue
            now = answers.get(second)
            self.seconds += 1
            self.right += now == room
            changed = before is not None and now != before
            self.changes += changed
            if is_still:
                self.still += 1
                self.false += changed
            before = now

    def change(self, answers, room, begin, end):
        since = None
        for second in range(begin - 5, min(end, begin + LATEST) + 1):
            if answers.get(second) != room:
                since = None
            elif since is None:
                since = second
        if since is None:
            self.missed += 1
        else:
            self.delays.append(max(0, since - begin))

    HEADER = f"{'':34s}  right   changes/h: resting, standing   delay median, 95 %   never told"

    def line(self, name):
        delays = sorted(self.delays) or [0]
        return (f"{name:34s} {100 * self.right / max(1, self.seconds):5.1f} %   {3600 * self.changes / max(1, self.seconds):9.1f}"
                f" {3600 * self.false / max(1, self.still):9.1f}          {statistics.median(delays):6.1f}"
                f" {delays[int(0.95 * len(delays))]:6.1f} s   {self.missed:4d} of {self.missed + len(self.delays)}")


METHODS = [("strongest of 5 s", followed(Strongest))] + [(name, followed(make)) for name, make in peers.ALL]


def tables(program, folder, seeds=(1, 2), seconds=900):
    methods = METHODS + ([
        ("beacon-fleet", ours(program)), ("beacon-fleet, rooms drawn", ours(program, ".plan.json")),
        ("beacon-fleet, rooms taught", ours(program, teaches=True)),
    ] if program else [])
    for name, options in building.SETS.items():
        recordings = []
        for seed in seeds:
            path = os.path.join(folder, f"{name.replace(' ', '-').replace(',', '')}-{seed}")
            if not os.path.exists(path + ".places.json"):
                building.write(folder, os.path.basename(path), building.Building(seed, **options), seconds)
            recordings.append(Recording(name, path))
        print(f"\nrooms of a made-up building: {name} ({len(seeds)} buildings, {seconds // 60} min each)\n{Score.HEADER}")
        for method, answers in methods:
            score = Score()
            if "taught" in method and not options.get("without"):
                continue
            for recording in recordings:
                score.add(recording, answers(recording))
            print(score.line(method), flush=True)
