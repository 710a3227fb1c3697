"""How other scanners choose the nearest beacon, with the constants that they publish (see docs/ranging.md).

Each has `add(time, beacon, measured_power, rssi)` and `nearest(time)`.
"""
import collections
import statistics


def altbeacon_metres(rssi, power):
    """AltBeacon's curve for most phones."""
    ratio = rssi / power
    return ratio ** 10 if ratio < 1 else 0.42093 * ratio ** 6.9476 + 0.54992


def older_metres(rssi, power):
    """The curve before that."""
    ratio = rssi / power
    return ratio ** 10 if ratio < 1 else 0.89976 * ratio ** 7.7095 + 0.111


class Newest:
    """The last reading of each beacon; the nearest is the strongest relative to its measured power."""

    def __init__(self):
        self.last = {}

    def add(self, time, beacon, power, rssi):
        self.last[beacon] = (time, power - rssi)

    def nearest(self, time):
        present = [(loss, beacon) for beacon, (heard, loss) in self.last.items() if time - heard <= 10]
        return min(present)[1] if present else None


class Windowed:
    """A statistic of a time window for each beacon; the smallest is the nearest."""
    window = 20.0
    silence = 10.0

    def __init__(self):
        self.readings = collections.defaultdict(collections.deque)

    def add(self, time, beacon, power, rssi):
        self.readings[beacon].append((time, power, rssi))

    def nearest(self, time):
        found = []
        for beacon, readings in self.readings.items():
            while readings and time - readings[0][0] > self.window:
                readings.popleft()
            if readings and time - readings[-1][0] <= self.silence:
                found.append((self.metres(readings), beacon))
        return min(found)[1] if found else None


class AltBeaconMean(Windowed):
    def metres(self, readings):
        levels = sorted(rssi for _, _, rssi in readings)
        if len(levels) > 2:
            cut = len(levels) // 10 + 1
            levels = levels[cut:-cut] or levels
        return altbeacon_metres(statistics.fmean(levels), readings[-1][1])


class ESPresense(Windowed):
    window = silence = 15.0

    def metres(self, readings):
        metres = sorted(10 ** ((power - rssi) / 27) for _, power, rssi in readings)
        low, high = metres[len(metres) // 4], metres[3 * len(metres) // 4]
        reach = 1.5 * (high - low)
        return statistics.fmean(m for m in metres if low - reach <= m <= high + reach)


class Recursive:
    """A level that moves part of the way to each reading."""

    def __init__(self, share, metres=altbeacon_metres, silence=10):
        self.share, self.metres, self.silence, self.state = share, metres, silence, {}

    def add(self, time, beacon, power, rssi):
        level = self.state[beacon][1] if beacon in self.state else rssi
        self.state[beacon] = (time, level + self.share * (rssi - level), power)

    def nearest(self, time):
        present = [(self.metres(level, power), beacon) for beacon, (heard, level, power) in self.state.items()
                   if time - heard <= self.silence]
        return min(present)[1] if present else None


class Kalman(Recursive):
    """room-assistant: measurement noise 4, process noise 0.008 a reading, 60 s of silence."""

    def __init__(self):
        super().__init__(0, older_metres, 60)
        self.variance = {}

    def add(self, time, beacon, power, rssi):
        predicted = self.variance.get(beacon, 4.0) + (0.008 if beacon in self.variance else 0)
        self.share = predicted / (predicted + 4)
        self.variance[beacon] = (1 - self.share) * predicted if beacon in self.state else 4.0
        super().add(time, beacon, power, rssi)


class Bermuda:
    """The mean of running minima of the newest twenty distances; a challenger must be 30 % nearer."""

    def __init__(self):
        self.distances = collections.defaultdict(lambda: collections.deque(maxlen=20))
        self.held = None

    def add(self, time, beacon, power, rssi):
        self.distances[beacon].append((time, 10 ** ((power - rssi) / 30)))

    def nearest(self, time):
        means = {}
        for beacon, distances in self.distances.items():
            recent = [metres for heard, metres in distances if time - heard <= 30]
            if recent:
                minima = []
                for metres in reversed(recent):
                    minima.append(min(metres, minima[-1]) if minima else metres)
                means[beacon] = statistics.fmean(minima)
        if not means:
            self.held = None
        else:
            best = min(means, key=means.get)
            if self.held not in means or means[best] < 0.7 * means[self.held]:
                self.held = best
        return self.held


ALL = [
    ("last reading", Newest),
    ("AltBeacon mean of 20 s", AltBeaconMean),
    ("AltBeacon ARMA 0.1", lambda: Recursive(0.1)),
    ("Home Assistant EWMA 0.3", lambda: Recursive(0.3)),
    ("ESPresense", ESPresense),
    ("room-assistant Kalman", Kalman),
    ("Bermuda", Bermuda),
]
