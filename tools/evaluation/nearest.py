"""The nearest beacon on all sets, unchanged and disturbed, with confidence intervals over the walks."""
import concurrent.futures
import os
import random
import tempfile

import harm
import peers
import program
import scoring

OURS = "beaconctl"


def scores(walks, follow, workers=2):
    """A score for each walk."""
    def one(walk):
        score = scoring.Score()
        score.add(follow(walk), walk.truth)
        return score
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        return list(pool.map(one, walks))


def total(parts):
    sum_ = scoring.Score()
    for part in parts:
        sum_.seconds += part.seconds
        sum_.answered += part.answered
        sum_.switches += part.switches
        sum_.extra += part.extra
    return sum_


def confidence(parts, rounds=1000):
    """The 10 % and 90 % quantiles of the regret, by resampling the walks."""
    draw = random.Random(1)
    drawn = sorted(total(draw.choices(parts, k=len(parts))).regret for _ in range(rounds))
    return drawn[rounds // 10], drawn[rounds * 9 // 10]


def harmed(walk, change, folder):
    """The walk with changed readings, as a new file."""
    readings = change(walk.readings)
    path = os.path.join(folder, walk.name + ".csv")
    with open(path, "w") as file:
        file.write("time,scanner,uuid,major,minor,measured_power,rssi\n")
        for time, beacon, power, rssi in readings:
            file.write(f"{time:.3f},walker,0b7a1c5e-3f0d-4c65-8a52-9d1be2f7c001,1,{beacon},{power},{rssi}\n")
    return walk._replace(path=path, readings=readings)


def regrets(beaconctl, walks, change, config="none", with_peers=True):
    """Scores by method and walk."""
    with tempfile.TemporaryDirectory() as folder:
        changed = [harmed(walk, change, folder) for walk in walks]
        found = {}
        if with_peers:
            for name, make in peers.ALL:
                found[name] = scores(changed, lambda walk, make=make: scoring.follow(make(), walk))
        if beaconctl:
            found[OURS] = scores(changed, lambda walk: program.follow(beaconctl, walk, config)[0])
            off = os.path.join(folder, "off.yaml")
            with open(off, "w") as file:
                file.write("ranging:\n  place_deviation_db: 1000\n")
            if config == "none":
                found["  without the past"] = scores(changed, lambda walk: program.follow(beaconctl, walk, off)[0])
        return found


def table(beaconctl, sets):
    """One table for each set, and one for all: the mean regret, and where each method is farthest behind the best."""
    over_all = {}
    for name, walks in sets:
        columns = [(harm_name, regrets(beaconctl, walks, change)) for harm_name, change in harm.ALL]
        print(f"\n{name} ({len(walks)} walks): regret in m @ switches a minute; [10-90 % over walks drawn anew]")
        print(f"{'':26s} {'as it is':>26s}" + "".join(f"{harm_name:>15s}" for harm_name, _ in columns[1:]))
        for method in columns[0][1]:
            line = f"{method:26s}"
            for index, (harm_name, found) in enumerate(columns):
                sum_ = total(found[method])
                over_all.setdefault(method, {})[name, harm_name] = sum_.regret
                cell = f"{sum_.regret:.2f} @ {sum_.switches_a_minute:.1f}"
                if index == 0:
                    low, high = confidence(found[method])
                    cell += f" [{low:.2f}-{high:.2f}]"
                line += f" {cell:>{26 if index == 0 else 14}s}"
            print(line)
    summary(over_all)


def summary(over_all):
    cells = sorted({cell for found in over_all.values() for cell in found})
    rivals = [method for method in over_all if method not in (OURS, "  without the past")]
    best = {cell: min(rivals, key=lambda method: over_all[method][cell]) for cell in cells}
    print("\nall sets, each as it is and harmed: the mean regret; the cell where it is farthest behind the best peer")
    for method, found in over_all.items():
        worst = max(cells, key=lambda cell: found[cell] - over_all[best[cell]][cell])
        behind = found[worst] - over_all[best[worst]][worst]
        print(f"{method:26s} {sum(found.values()) / len(found):6.2f}   {behind:+.2f} m: {worst[0]}, {worst[1]} "
              f"(best: {best[worst]}, {over_all[best[worst]][worst]:.2f})")
    if OURS in over_all:
        behind = [cell for cell in cells if over_all[OURS][cell] > over_all[best[cell]][cell]]
        print(f"behind the best peer in {len(behind)} of {len(cells)}: "
              + ", ".join(f"{name} ({harm_name})" for name, harm_name in behind))


def leave_one_out(beaconctl, sets, candidates):
    """For each set: the candidate that is best on the mean of the other sets, and its regret on the set left out."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for index, text in enumerate(candidates):
            path = os.path.join(folder, f"{index}.yaml")
            with open(path, "w") as file:
                file.write("ranging:\n" + "".join(f"  {line}\n" for line in text.split(",") if line))
            for name, walks in sets:
                parts = regrets(beaconctl, walks, lambda r: r, path if text else "none", with_peers=False)[OURS]
                found[text, name] = total(parts).regret
    print("\nleaving one set out: chosen by the mean of the others, and what it gives on the one left out")
    for name, _ in sets:
        others = [other for other, _ in sets if other != name]
        chosen = min(candidates, key=lambda text: sum(found[text, other] for other in others))
        best = min(candidates, key=lambda text: found[text, name])
        print(f"{name:26s} {found[chosen, name]:.2f} with {chosen or 'the defaults'}; "
              f"the defaults {found['', name]:.2f}; the best for itself {found[best, name]:.2f} with {best or 'the defaults'}")
