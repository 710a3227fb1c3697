"""The best possible calibration of a site: every beacon's power and the path-loss exponent, fitted to walks.

The levels are the program's own, so they include its averaging.
"""
import math

#: The assumed deviations of powers and exponent after the calibration.
POWER_DEVIATION, EXPONENT_DEVIATION = 1.0, 0.1


def fit(samples):
    """Powers at 1 m by beacon, and the exponent: least squares over (beacon, level, metres)."""
    sums = {}
    for beacon, level, metres in samples:
        x = 10 * math.log10(max(metres, 0.1))
        total = sums.setdefault(beacon, [0, 0.0, 0.0, 0.0, 0.0])
        for index, value in enumerate((1, x, level, x * x, x * level)):
            total[index] += value
    above = sum(xy - x * y / n for n, x, y, _, xy in sums.values())
    below = sum(xx - x * x / n for n, x, _, xx, _ in sums.values())
    exponent = min(6.0, max(1.0, -above / below if below > 1e-9 else 2.2))
    return {beacon: (y + exponent * x) / n for beacon, (n, x, y, _, _) in sums.items()}, exponent


def configuration(powers, exponent):
    """The settings of beaconctl for such a site."""
    lines = ["ranging:", f"  path_loss_exponent: {exponent:.3f}",
             f"  path_loss_exponent_deviation: {EXPONENT_DEVIATION}", "  corrections:"]
    for (uuid, major, minor), power in sorted(powers.items()):
        lines += [f"    - uuid: {uuid}", f"      major: {major}", f"      minor: {minor}",
                  f"      measured_power: {power:.2f}", f"      deviation_db: {POWER_DEVIATION}"]
    return "\n".join(lines) + "\n"
