"""What `beaconctl range` answers."""
import datetime
import json
import subprocess

#: Seconds after which a ranking is no answer any more.
OLDEST = 2.5


def rankings(program, path):
    command = [program, "range", "--source", "file:" + path, "--interval", "1", "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: exit {done.returncode}\n{done.stderr[-400:]}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def seconds(text):
    try:
        return float(text)
    except ValueError:
        return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def follow(program, walk):
    """The nearest beacon and the distances' intervals at each second of the truth."""
    ticks = [(seconds(ranking["time"]), ranking) for ranking in rankings(program, walk.path)]
    answers, intervals, index = {}, {}, -1
    for time in walk.truth:
        while index + 1 < len(ticks) and ticks[index + 1][0] <= time + 1e-3:
            index += 1
        if index < 0 or time - ticks[index][0] > OLDEST:
            continue
        ranking = ticks[index][1]
        answers[time] = ranking["nearest"] and int(ranking["nearest"]["minor"])
        intervals[time] = {int(b["minor"]): (b["distance_low_m"], b["distance_high_m"])
                           for b in ranking["beacons"] if b.get("distance_low_m") is not None}
    return answers, intervals
