"""Compares answers with the surveyed truth, second by second."""
import collections
import csv
import glob
import os

Walk = collections.namedtuple("Walk", "name path readings truth")
#: Seconds at the start of a walk that are not scored, because nothing was received for long enough.
WARM_UP = 5


def load(path):
    """Walks of a folder: NAME.obs.csv (observations) with NAME.truth.csv (time, minor, distance_m)."""
    walks = []
    for observations in sorted(glob.glob(os.path.join(path, "*.obs.csv"))):
        base = observations[:-len(".obs.csv")]
        with open(observations) as file:
            readings = [(float(row["time"]), int(row["minor"]), int(row["measured_power"]), int(row["rssi"]))
                        for row in csv.DictReader(file)]
        truth = {}
        with open(base + ".truth.csv") as file:
            for row in csv.DictReader(file):
                truth.setdefault(float(row["time"]), {})[int(row["minor"])] = float(row["distance_m"])
        walks.append(Walk(os.path.basename(base), observations, readings, truth))
    return walks


def follow(algorithm, walk):
    """The answers of an algorithm at each second of the truth."""
    answers, heard = {}, 0
    for time in walk.truth:
        while heard < len(walk.readings) and walk.readings[heard][0] <= time:
            algorithm.add(*walk.readings[heard])
            heard += 1
        answers[time] = algorithm.nearest(time)
    return answers


class Score:
    """Sums over walks."""

    def __init__(self):
        self.seconds = self.answered = self.top = self.within = self.switches = 0
        self.extra = 0.0

    def add(self, answers, truth):
        before = None
        for time in list(truth)[WARM_UP:]:
            self.seconds += 1
            distances, answer = truth[time], answers.get(time)
            if answer not in distances:
                continue
            extra = distances[answer] - min(distances.values())
            self.answered += 1
            self.top += extra < 1e-9
            self.within += extra <= 1.5
            self.extra += extra
            self.switches += before is not None and answer != before
            before = answer

    @property
    def regret(self):
        return self.extra / max(1, self.answered)

    @property
    def switches_a_minute(self):
        return 60 * self.switches / max(1, self.seconds)

    def row(self, name):
        share = 1 / max(1, self.seconds)
        return (f"{name:26s} {self.top * share:6.3f} {self.within * share:7.3f} {self.regret:9.2f} "
                f"{self.switches_a_minute:12.2f} {self.answered * share:8.3f}")


HEADER = f"{'':26s} {'top1':>6s} {'within':>7s} {'regret_m':>9s} {'switches/min':>12s} {'cover':>8s}"


class Coverage:
    """How often the 10-90 % interval contains the true distance, while the receiver stands and at all times."""
    #: Metres: the receiver stands if no beacon's distance changes by more within two seconds.
    STANDING = 0.25

    def __init__(self):
        self.standing, self.anywhere = [0, 0], [0, 0]

    def add(self, intervals, truth):
        times = list(truth)
        for index, time in enumerate(times[WARM_UP:-1], WARM_UP):
            before, after = truth[times[index - 1]], truth[times[index + 1]]
            stands = all(abs(after[b] - before[b]) <= self.STANDING for b in after)
            for beacon, (low, high) in intervals.get(time, {}).items():
                if beacon not in truth[time]:
                    continue
                held = low <= truth[time][beacon] <= high
                for sums in [self.anywhere] + ([self.standing] if stands else []):
                    sums[0] += held
                    sums[1] += 1

    @staticmethod
    def share(sums):
        return f"{sums[0] / sums[1]:.3f} of {sums[1]}" if sums[1] else "none"
