"""Disturbances of readings in the field: thinned, lost, and wrong stated powers."""
import random


def thinned(rate):
    """At most `rate` readings a second of each beacon."""
    def apply(readings):
        last, kept = {}, []
        for reading in readings:
            if reading[0] - last.get(reading[1], -1e9) >= 1 / rate - 0.02:
                last[reading[1]] = reading[0]
                kept.append(reading)
        return kept
    return apply


def lost(share):
    def apply(readings):
        draw = random.Random(1)
        return [reading for reading in readings if draw.random() >= share]
    return apply


def half_weaker(readings):
    """Makes every second beacon 6 dB weaker than it states."""
    return [(time, beacon, power, max(-127, rssi - 6) if beacon % 2 else rssi) for time, beacon, power, rssi in readings]


ALL = [
    ("as it is", lambda readings: readings),
    ("one in 1 s", thinned(1)),
    ("one in 3 s", thinned(0.3)),
    ("30 % lost", lost(0.3)),
    ("half -6 dB", half_weaker),
]
