"""In which room a beacon is, from the scanners of a building: how often right, how soon after a change, and how often
told wrongly that a resting beacon moved. Beside what others do with the same levels.
"""
import collections
import csv
import datetime
import json
import math
import os
import statistics
import subprocess

import building

#: Seconds at both ends of a stay that are not scored.
GUARD = 10
#: A stay must last as long for its change to be timed, and an answer must come within this.
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


class Strongest:
    """The room of the scanner with the strongest mean of some seconds."""

    def __init__(self, places, seconds=5):
        self.rooms = {place["scanner"]: place["room"] for place in places}
        self.seconds, self.levels = seconds, collections.defaultdict(collections.deque)

    def second(self, now, levels):
        for time, scanner, _, rssi in levels:
            self.levels[scanner].append((time, rssi))
        means = {}
        for scanner, kept in self.levels.items():
            while kept and kept[0][0] <= now - self.seconds:
                kept.popleft()
            if kept:
                means[scanner] = 10 * math.log10(sum(10 ** (rssi / 10) for _, rssi in kept) / len(kept))
        return self.rooms.get(max(means, key=means.get)) if means else None


class ESPresense:
    """The scanner with the smallest distance, of the mean inside Tukey's fences over 15 s."""

    def __init__(self, places):
        self.rooms = {place["scanner"]: place["room"] for place in places}
        self.levels = collections.defaultdict(collections.deque)

    def second(self, now, levels):
        for time, scanner, _, rssi in levels:
            self.levels[scanner].append((time, 10 ** ((-59 - rssi) / 27)))
        best = None
        for scanner, kept in self.levels.items():
            while kept and kept[0][0] <= now - 15:
                kept.popleft()
            if not kept:
                continue
            values = sorted(value for _, value in kept)
            low, high = values[len(values) // 4], values[3 * len(values) // 4]
            inside = [value for value in values if low - 1.5 * (high - low) <= value <= high + 1.5 * (high - low)]
            distance = sum(inside) / len(inside)
            if best is None or distance < best[0]:
                best = (distance, scanner)
        return best and self.rooms[best[1]]


class Bermuda:
    """The scanner with the smallest distance. A challenger must be a third nearer, or 15 % on ten readings; a distance
    grows no faster than somebody walks, and a reading is good for thirty seconds."""

    def __init__(self, places):
        self.rooms = {place["scanner"]: place["room"] for place in places}
        self.distances, self.holder = {}, None

    def second(self, now, levels):
        for time, scanner, _, rssi in levels:
            new = 10 ** ((-59 - rssi) / 30)
            old = self.distances.get(scanner)
            if old and time > old[0]:
                new = min(new, old[1] + 3 * (time - old[0]))
            count = old[2] + 1 if old else 1
            self.distances[scanner] = (time, new, count)
        fresh = {scanner: each for scanner, each in self.distances.items() if now - each[0] <= 30}
        if not fresh:
            return None
        best = min(fresh, key=lambda scanner: fresh[scanner][1])
        if self.holder not in fresh:
            self.holder = best
        else:
            share = fresh[best][1] / fresh[self.holder][1]
            if share < 0.7 or share < 0.85 and fresh[best][2] >= 10:
                self.holder = best
        return self.rooms[self.holder]


def followed(make):
    """A peer, second by second, as {minor: {second: room}}."""
    def answers(recording):
        found = {}
        for minor in recording.stays:
            peer, levels = make(recording.places), recording.levels[minor]
            found[minor] = {second + 1: peer.second(second + 1, levels.get(second, ())) for second in recording.seconds}
        return found
    return answers


def changes(program, observations, places=None):
    """What beacon-fleet tells, as {minor: [(second, room or None), …]}."""
    command = [program, "locate", "--source", f"file:{observations}", "--format", "csv"]
    command += ["--places", places] if places else []
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


def ours(program):
    def answers(recording):
        told = changes(program, recording.path + ".obs.csv", recording.path + ".places.json")
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


METHODS = [("strongest of 5 s", followed(Strongest)), ("ESPresense's way", followed(ESPresense)),
           ("Bermuda's way", followed(Bermuda))]


def tables(program, folder, seeds=(1, 2), seconds=900):
    methods = METHODS + ([("beacon-fleet", ours(program))] if program else [])
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
            for recording in recordings:
                score.add(recording, answers(recording))
            print(score.line(method), flush=True)
