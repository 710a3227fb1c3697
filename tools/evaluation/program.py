"""The answers of `beaconctl range`."""
import datetime
import json
import subprocess

#: Seconds after which a ranking no longer counts as an answer.
OLDEST = 2.5


def rankings(program, path, config):
    command = [program, "range", "--source", "file:" + path, "--interval", "1", "--format", "json", "--config", config]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: exit {done.returncode}\n{done.stderr[-400:]}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def seconds(text):
    try:
        return float(text)
    except ValueError:
        return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def at_each_second(program, walk, config="none"):
    """The ranking at each second of the truth, if there is one."""
    ticks = [(seconds(ranking["time"]), ranking) for ranking in rankings(program, walk.path, config)]
    answers, index = {}, -1
    for time in walk.truth:
        while index + 1 < len(ticks) and ticks[index + 1][0] <= time + 1e-3:
            index += 1
        if index < 0 or time - ticks[index][0] > OLDEST:
            continue
        answers[time] = ticks[index][1]
    return answers


def follow(program, walk, config="none"):
    """The nearest beacon and the distances' intervals at each second of the truth."""
    answers, intervals = {}, {}
    for time, ranking in at_each_second(program, walk, config).items():
        answers[time] = ranking["nearest"] and int(ranking["nearest"]["minor"])
        intervals[time] = {int(b["minor"]): (b["distance_low_m"], b["distance_high_m"])
                           for b in ranking["beacons"] if b.get("distance_low_m") is not None}
    return answers, intervals


def samples(program, walk):
    """Beacon, filtered level and true distance, second by second."""
    return [((b["uuid"], b["major"], b["minor"]), b["rssi_filtered"], walk.truth[time][b["minor"]])
            for time, ranking in at_each_second(program, walk).items() for b in ranking["beacons"]
            if b.get("rssi_filtered") is not None and b["minor"] in walk.truth[time]]
