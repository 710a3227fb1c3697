"""A whole fleet on one computer, and what must hold for it. Started by tools/fleet-test."""
from __future__ import annotations

import argparse
import calendar
import collections
import http.client
import json
import operator
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import brokers
import house
import mqtt

# house.py has added tools/load.
import daemon as control
from process import Process

#: Seconds at both ends of a span in which answers are not compared, because changes may still be on their way.
EDGE = 2
#: Seconds. In the short trial, where resolvers have to wait for the machine, a shorter stay need not have been told.
BRIEF = 5


class Scale:
    """How large, and how long in seconds."""

    def __init__(self, is_short: bool) -> None:
        self.scanners, self.beacons = (5, 20) if is_short else (20, 200)
        self.warm, self.steady, self.away = (8, 16, 5) if is_short else (90, 240, 300)
        self.learning = 0 if is_short else 170
        # Antennas are learned once a minute. Until then, some beacons near a wall are in the next room.
        self.at_node = 15 if is_short else 120
        # The short trial measures nothing. It is one of many tests on a busy machine, where programs have to wait.
        self.slack = 4 if is_short else 1
        self.lost = 0.02 if is_short else 0


class Table:
    """What is required, what was measured, and whether that is enough."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, str, str, bool]] = []

    def add(self, what: str, needed: str, measured: str, is_good: bool) -> None:
        self.rows.append((what, needed, measured, is_good))
        print(f"{'PASS' if is_good else 'FAIL'}  {what}: {measured} (needed: {needed})", flush=True)

    def show(self) -> bool:
        print(f"\n| {'requirement':<62} | {'needed':<24} | {'measured':<44} | result |\n|---|---|---|---|")
        for what, needed, measured, is_good in self.rows:
            print(f"| {what:<62} | {needed:<24} | {measured:<44} | {'PASS' if is_good else 'FAIL'} |")
        return all(row[3] for row in self.rows)


class Program:
    """A program that runs in the background, with its log."""

    def __init__(self, name: str, folder: pathlib.Path, command: list[str], environment: dict[str, str] | None = None):
        self.name, self.log = name, folder / f"{name}.log"
        # Only the settings of the trial, without the user's own variables.
        ours = {key: value for key, value in os.environ.items() if not key.startswith("BEACOND_")}
        with open(self.log, "a") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, env={**ours, **(environment or {})})
        self.counts = Process(self.process.pid)

    def end(self, number: int = signal.SIGTERM) -> None:
        if self.process.poll() is None:
            self.process.send_signal(number)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    @property
    def is_running(self) -> bool:
        return self.process.poll() is None


class Trial:
    def __init__(self, options: argparse.Namespace, folder: pathlib.Path) -> None:
        self.options, self.folder, self.scale = options, folder, Scale(options.short)
        self.table = Table()
        self.house = house.House(folder, self.scale.scanners, self.scale.beacons)
        names = [each.name for each in self.house.scanners]
#: The scanners in the annexes. One becomes blind, one has a clock that is ahead, one a clock that is behind.
        self.blind, self.fast, self.slow = names[-3:]
        self.broker = brokers.Mosquitto(options.mosquitto, folder)
        self.daemons: dict[str, Program] = {}
        self.resolvers: dict[str, Program] = {}
        self.taps: list[mqtt.Tap] = []
        self.published: dict[str, list[mqtt.Message]] = {}
        self.watchers: list[mqtt.Client] = []

    # The fleet

    def begin_daemons(self, url: str, user: str | None = None) -> None:
        for scanner in self.house.scanners:
            place = self.folder / scanner.name
            settings = {
                "sources": [self.house.controllers[scanner.name].source],
                "mqtt": {"url": url, "host": scanner.name, "ranging_interval_s": 0, "home_assistant": "none"},
                "fleet": {
                    "room": self.house.plan.name(self.room(scanner)), "floor": scanner.floor,
                    "position": [round(scanner.x, 1), round(scanner.y, 1)]},
                "history": {"enabled": False}, "dbus": {"enabled": False},
                "control": {"socket": f"{place}/control.sock"},
                "directories": {"state": f"{place}/state", "cache": f"{place}/cache"},
            }
            if user:
                settings["mqtt"]["password_file"] = self.password()
            (place / "beacond.yaml").write_text(json.dumps(settings))
            shift = {self.fast: self.options.apart, self.slow: -self.options.apart}.get(scanner.name)
            environment = None if not shift else {
                # In addition to what is preloaded into every program (tools/sanitize).
                "LD_PRELOAD": ":".join([self.options.clock_shift] + os.environ.get("LD_PRELOAD", "").split()),
                "CLOCK_AHEAD": str(shift)}
            self.daemons[scanner.name] = Program(
                scanner.name, self.folder, [f"{self.options.bin}/beacond", "--config", f"{place}/beacond.yaml"], environment)

    def password(self) -> str:
        file = self.folder / "password"
        if not file.exists():
            file.touch(0o600)
            file.write_text("fleet-trial\n")
        return str(file)

    def room(self, scanner) -> tuple[int, int, int]:
        if scanner.name in [self.blind, self.fast, self.slow]:
            return house.ANNEXES[[self.blind, self.fast, self.slow].index(scanner.name)]
        return self.house.plan.room_at(scanner.floor, scanner.x, scanner.y)

    def begin_resolver(self, name: str, addresses: list[tuple[str, int]], user: str | None = None) -> None:
        messages = self.published.setdefault(name, [])
        taps = [mqtt.Tap(address, messages) for address in addresses]
        self.taps += taps
        hosts = ",".join(f"127.0.0.1:{tap.port}" for tap in taps)
        login = f"{user.replace('@', '%40')}@" if user else ""
        self.resolvers[name] = Program(
            f"resolver-{name}", self.folder,
            [f"{self.options.bin}/beacon-fleet", "run", "--mqtt", f"mqtt://{login}{hosts}", "--name", name]
            + (["--password-file", self.password()] if user else []))

    def end_programs(self) -> None:
        for program in [*self.resolvers.values(), *self.daemons.values()]:
            program.process.send_signal(signal.SIGTERM) if program.is_running else None
        for program in [*self.resolvers.values(), *self.daemons.values()]:
            program.end()
        self.resolvers, self.daemons = {}, {}

    def watch(self, name: str, topics: list[str], address=None, user=None) -> mqtt.Client:
        watcher = mqtt.Client(address or self.broker.addresses[0], name, topics, user)
        self.watchers.append(watcher)
        if not watcher.ready.wait(15 * self.scale.slack):
            raise SystemExit(f"the broker does not answer {name}")
        return watcher

    # State of the fleet

    def wait(self, what: str, seconds: float, is_so) -> float:
        """How long it took; infinite where it has not come in time."""
        began = time.monotonic()
        while time.monotonic() - began < seconds:
            if is_so():
                return time.monotonic() - began
            time.sleep(0.05)
        print(f"      not within {seconds:.0f} s: {what}; silent: {sorted(set(self.daemons) - self.hosts(time.monotonic() - 5))}",
              flush=True)
        return float("inf")

    def answers(self, name: str, since: float, until: float) -> dict[str, list[str]]:
        """What a resolver has published of a span of time (since 1970), by topic, each answer once."""
        answers: dict[str, list[str]] = collections.defaultdict(list)
        for message in list(self.published[name]):
            if "/rooms/" in message.topic and since <= answered_since(message.payload) <= until:
                if answers[message.topic][-1:] != [message.payload]:
                    answers[message.topic].append(message.payload)
        return answers

    def is_answering(self, name: str, since: float = 0) -> bool:
        return any(message.topic.endswith(f"/fleet/resolvers/{name}") and message.payload == "answering"
                   for message in self.published.get(name, []) if message.time >= since)

    def compare(self, what: str, since: float, until: float) -> None:
        """Both resolvers have published the same answers, in the same order; in the short trial, the same stays."""
        begin, end = wall(since + EDGE), wall(until - EDGE)
        # A late resolver has to get this far first.
        self.wait("both have told of the end", 30 * self.scale.slack, lambda: all(
            any("/rooms/" in message.topic and answered_since(message.payload) > end for message in self.published[name][-50:])
            for name in ["one", "two"]))
        told = self.told_by_both(begin, end)
        differ, what_holds, counted, pairs = operator.ne, "publish the same, bit by bit", "answers", told
        if self.options.short:
            differ, what_holds, counted = contradict, "tell the same stays", "stays"
            pairs = {topic: lasting(*pair, end) for topic, pair in told.items()}
        different = [topic for topic, pair in pairs.items() if differ(*pair)]
        count = sum(len(one) for one, _ in pairs.values())
        for topic in different[:5]:
            one, two = told[topic]
            print(f"      {topic}\n        one: {one}\n        two: {two}")
        self.table.add(f"{what}: both resolvers {what_holds}", "no difference",
                       f"{len(different)} of {len(pairs)} beacons differ, {count} {counted}", not different and count > 0)

    def told_by_both(self, since: float, until: float) -> dict[str, tuple[list[str], list[str]]]:
        """The answers of the first resolver and of the second, by topic."""
        one, two = (self.answers(name, since, until) for name in ["one", "two"])
        return {topic: (one.get(topic, []), two.get(topic, [])) for topic in sorted(one.keys() | two.keys())}

    def share_a_stay(self, since: float, until: float) -> bool:
        """Whether both resolvers have told of a stay that the short trial compares."""
        pairs = (lasting(*pair, until) for pair in self.told_by_both(since, until).values())
        return any(one.keys() & two.keys() for one, two in pairs)

    def room_of(self, minor: int, watcher: mqtt.Client) -> dict | None:
        topic = f"beacond/rooms/{house.building.UUID}/1/{minor}"
        payloads = [message.payload for message in watcher.messages if message.topic == topic]
        return json.loads(payloads[-1]) if payloads and payloads[-1] else None

    def right(self, watcher: mqtt.Client, minors: list[int] | None = None) -> tuple[int, int]:
        beacons = [each for each in self.house.plan.beacons if (each.minor in minors if minors else not each.is_carried)]
        return sum(self.is_right(each, self.room_of(each.minor, watcher)) for each in beacons), len(beacons)

    def is_right(self, beacon, answer: dict | None) -> bool:
        return answer is not None and answer["room"] == self.house.plan.name(beacon.room)

    # The trial

    def run(self) -> bool:
        try:
            if self.options.part != "cluster":
                self.broker.begin()
                self.begin()
                self.steady()
                self.clocks()
                self.blindness()
                self.resolver_killed()
                self.broker_away()
                self.lossless()
                self.memory("beacon-fleet, at the end")
                self.end_programs()
                self.broker.end()
            if self.options.ejabberd and self.options.part != "mosquitto":
                self.cluster()
        finally:
            self.close()
        return self.table.show()

    def begin(self) -> None:
        self.events = self.watch("events", ["beacond/+/events/#"])
        self.watcher = self.watch("watcher", ["beacond/rooms/#", "beacond/+/levels", "beacond/+/scanner", "beacond/+/status"])
        # Before there is anything to resolve, so that neither learns from the other.
        for name in ["one", "two"]:
            self.begin_resolver(name, self.broker.addresses)
        self.wait("both resolvers are there", 20 * self.scale.slack, lambda: all(
            any("/fleet/resolvers/" in message.topic for message in self.published[name]) for name in self.resolvers))
        time.sleep(3)
        self.begin_daemons(f"mqtt://127.0.0.1:{self.broker.port}")
        self.wait("all scanners publish levels", 60 * self.scale.slack,
                  lambda: self.hosts(time.monotonic() - 3) == set(self.daemons))
        self.wait("both resolvers answer", 30 * self.scale.slack, lambda: all(map(self.is_answering, self.resolvers)))
        print(f"      {len(self.daemons)} scanners, {len(self.house.plan.beacons)} beacons, 2 resolvers", flush=True)
        time.sleep(self.scale.warm)

    def hosts(self, since: float) -> set[str]:
        return {message.topic.split("/")[1] for message in self.watcher.messages
                if message.topic.endswith("/levels") and message.time >= since}

    def steady(self) -> None:
        began = time.monotonic()
        before = {name: program.counts.cpu for name, program in self.resolvers.items()}
        time.sleep(self.scale.steady)
        if self.options.short:
            self.wait("both have told of a stay that lasts", 10 * self.scale.slack,
                      lambda: self.share_a_stay(wall(began + EDGE), wall(time.monotonic() - EDGE)))
        ended = time.monotonic()
        share = max((program.counts.cpu - before[name]) / (ended - began) for name, program in self.resolvers.items())
        self.table.add("CPU of a resolver", "at most 5 % of a core", f"{share:.1%}{self.options.note}", share <= 0.05)
        self.memory("memory of a resolver")
        self.compare("steady", began, ended)
        self.rooms("beacons that stand still are in their rooms")
        self.no_gaps(began, ended)

    def rooms(self, what: str) -> None:
        standing = [each.minor for each in self.house.plan.beacons if not each.is_carried and each.minor < self.house.beacons_of(0)[0]]
        # In a small building, few scanners distinguish two rooms.
        needed = 0.5 if self.options.short else 0.9
        if self.options.short:
            # Both scanners receive some of them alike: these change their rooms at times.
            self.wait("enough are in their rooms", 10 * self.scale.slack,
                      lambda: self.right(self.watcher, standing)[0] >= needed * len(standing))
        good, count = self.right(self.watcher, standing)
        if good < needed * count:
            for each in self.house.plan.beacons:
                answer = self.room_of(each.minor, self.watcher)
                if each.minor in standing and not self.is_right(each, answer):
                    print(f"      {each.minor} lies in {self.house.plan.name(each.room)}, the answer is {answer}", flush=True)
        self.table.add(what, f"at least {needed:.0%}", f"{good} of {count}", good >= needed * count)

    def memory(self, what: str) -> None:
        peak = max(program.counts.field("status", "VmHWM") / 1024 for program in self.resolvers.values())
        needed = "not judged" if self.options.unjudged_memory else "at most 64 MiB"
        self.table.add(what, needed, f"{peak:.1f} MiB", self.options.unjudged_memory or peak <= 64)

    def no_gaps(self, since: float, until: float) -> None:
        missing, count = 0, 0
        for host in self.daemons:
            seconds = [json.loads(message.payload)["second"] for message in list(self.watcher.messages)
                       if message.topic == f"beacond/{host}/levels" and since <= message.time <= until]
            count += len(seconds)
            missing += sum(max(0, after - before - 1) for before, after in zip(seconds, seconds[1:]))
        self.table.add("seconds of levels that are lost", f"at most {self.scale.lost:.0%}", f"{missing} of {count}",
                       missing <= self.scale.lost * count and count > 0)

    def clocks(self) -> None:
        for host, shift in [(self.fast, self.options.apart), (self.slow, -self.options.apart)]:
            minors = self.house.beacons_of(1 if host == self.fast else 2)
            self.wait("what only its scanner hears is in its room", 10 * self.scale.slack,
                      lambda: (right := self.right(self.watcher, minors))[0] == right[1])
            good, count = self.right(self.watcher, minors)
            last = [json.loads(message.payload) for message in self.watcher.messages if message.topic == f"beacond/{host}/levels"]
            offset = last[-1].get("clock_ms") if last else None
            self.table.add(f"a clock {shift:+d} s off: what only its scanner hears is in its room", f"{count} beacons",
                           f"{good}, clock_ms {offset}", good == count)

    def blindness(self) -> None:
        minors = self.house.beacons_of(0)
        self.wait("what only it can hear is known", 10 * self.scale.slack,
                  lambda: self.right(self.watcher, minors)[0] == len(minors))
        before = self.right(self.watcher, minors)
        began = time.monotonic()
        self.house.controllers[self.blind].hang_up()

        def is_unknown() -> bool:
            answers = [self.room_of(minor, self.watcher) for minor in minors]
            return all(answer and answer["room"] is None and answer.get("unknown") == "blind" for answer in answers)

        limit = 10 * self.scale.slack
        took = self.wait("what only a blind scanner could hear is unknown", limit + 20, is_unknown)
        self.table.add("a scanner is blind: unknown (blind) what only it could hear", f"within {limit} s",
                       f"{took:.1f} s ({before[0]} of {before[1]} were known)", took <= limit and before[0] == before[1])
        self.house.controllers[self.blind].answer_again()
        limit = 30 * self.scale.slack
        took = self.wait("they are back", limit + 30, lambda: self.right(self.watcher, minors)[0] == len(minors))
        self.table.add("… and known again when it hears", f"within {limit} s", f"{took:.1f} s since then", took <= limit)

    def resolver_killed(self) -> None:
        # Only one, so that it has nothing but what the broker retains to go on with.
        self.resolvers.pop("two").end(signal.SIGKILL)
        before = {each.minor: self.room_of(each.minor, self.watcher) for each in self.house.plan.beacons if not each.is_carried}
        self.resolvers.pop("one").end(signal.SIGKILL)
        began = time.monotonic()
        self.begin_resolver("one", self.broker.addresses)
        limit = 5 * self.scale.slack
        took = self.wait("the resolver answers again", limit + 15, lambda: self.is_answering("one", began))
        self.table.add("a resolver is killed: it answers again, from retained state", f"within {limit} s", f"{took:.1f} s",
                       took <= limit)
        time.sleep(5)
        known = {minor for minor, answer in before.items() if answer and answer["room"]}

        def without_room() -> set[int]:
            return {minor for minor in known if not (self.room_of(minor, self.watcher) or {}).get("room")}

        if self.options.short:
            # What only a late daemon hears is in no room until its levels come.
            self.wait("what had a room has one", 10 * self.scale.slack, lambda: not without_room())
        # An answer that was taken away is forgotten, even if there is another one by now.
        taken = {int(message.topic.rsplit("/", 1)[1]) for message in list(self.watcher.messages)
                 if "/rooms/" in message.topic and message.time >= began and not message.payload}
        lost = without_room() | taken & known
        self.table.add("… and forgets no room", "0 forgotten", f"{len(lost)} of {len(before)}", not lost)
        self.begin_resolver("two", self.broker.addresses)
        if not self.scale.learning:
            return
        since = time.monotonic()
        took = self.wait("the second has learned", self.scale.learning + 30, lambda: self.is_answering("two", since))
        began = time.monotonic() + 5
        time.sleep(5 + self.scale.steady / 2)
        self.compare(f"after a kill and {took:.0f} s of learning", began, time.monotonic())

    def broker_away(self) -> None:
        self.broker.end()
        time.sleep(self.scale.away)
        began = time.monotonic()
        self.broker.begin()
        limit = 20 * self.scale.slack
        took = self.wait("all are back", limit + 40, lambda: self.hosts(began) == set(self.daemons)
                         and any(self.is_answering(name, began) for name in self.resolvers))
        self.table.add(f"the broker is away for {self.scale.away} s: all are back", f"within {limit} s", f"{took:.1f} s",
                       took <= limit)
        if self.options.short:
            return
        # The one that came back later learns beside the other.
        self.wait("both answer", self.scale.learning + 30, lambda: all(self.is_answering(name, began) for name in self.resolvers))
        time.sleep(self.scale.warm)
        began = time.monotonic()
        time.sleep(self.scale.steady)
        self.compare("after the broker was away", began, time.monotonic())

    def lossless(self) -> None:
        """Each event that a daemon still has in its ring has come to the subscriber."""
        time.sleep(3)
        lost = had = 0
        got = collections.defaultdict(set)
        for message in self.events.messages:
            got[message.topic.split("/")[1]].add(json.loads(message.payload)["id"])
        for host in self.daemons:
            kept = self.kept_events(host)
            had += len(kept)
            # Recent changes may still be on their way.
            lost += len({number for number in kept if number not in got[host] and number <= max(got[host], default=0)})
            lost += len(kept) if not got[host] else 0
        self.table.add("events that are lost, all in all", "0", f"{lost} of {had}", lost == 0 and had > 0)

    def kept_events(self, host: str) -> set[int]:
        connection = control.Unix(f"{self.folder}/{host}/control.sock")
        connection.timeout = 2 * self.scale.slack
        numbers: set[int] = set()
        try:
            connection.request("GET", "/v1/events", headers={"Last-Event-ID": "0"})
            answer = connection.getresponse()
            end = time.monotonic() + 3
            # A busy daemon may be late with the first one.
            latest = end + 3 * (self.scale.slack - 1)
            # New ones arrive all the time.
            while (line := answer.readline()) and time.monotonic() < (end if numbers else latest):
                if found := re.match(rb"id: *(\d+)", line):
                    numbers.add(int(found[1]))
        except (OSError, http.client.HTTPException):
            pass
        finally:
            connection.close()
        return numbers

    def cluster(self) -> None:
        """The same fleet at two nodes, of which the one that all use is killed."""
        nodes = brokers.Ejabberd(pathlib.Path(self.options.ejabberd), self.folder)
        try:
            nodes.begin()
            for watcher in self.watchers:
                watcher.close()
            self.watchers, self.published = [], {}
            self.watcher = self.watch(
                "watcher", ["beacond/rooms/#", "beacond/+/levels"], nodes.addresses[1], nodes.user)
            self.events = self.watch("events", ["beacond/+/events/#"], nodes.addresses[1], nodes.user)
            login = nodes.user.replace("@", "%40")
            hosts = ",".join(f"{host}:{port}" for host, port in nodes.addresses)
            for each in self.house.scanners:
                shutil.rmtree(self.folder / each.name / "state", ignore_errors=True)
            for name in ["one", "two"]:
                self.begin_resolver(name, nodes.addresses, nodes.user)
            time.sleep(5)
            self.begin_daemons(f"mqtt://{login}@{hosts}", nodes.user)
            self.wait("all scanners publish levels", 60, lambda: self.hosts(time.monotonic() - 3) == set(self.daemons))
            self.wait("both resolvers answer", 30, lambda: all(map(self.is_answering, self.resolvers)))
            time.sleep(self.scale.at_node)
            began = time.monotonic()
            nodes.kill(0)
            took = self.wait("all use the other node", 60, lambda: self.hosts(began + 0.5) == set(self.daemons)
                             and any(self.is_answering(name, began) for name in self.resolvers))
            self.table.add("one of two nodes of a cluster is killed: all use the other", "within 30 s", f"{took:.1f} s", took <= 30)
            if not self.options.short:
                self.wait("both answer", self.scale.learning + 30,
                          lambda: all(self.is_answering(name, began) for name in self.resolvers))
            time.sleep(self.scale.at_node)
            began = time.monotonic()
            time.sleep(self.scale.at_node)
            self.compare("after a node was killed", began, time.monotonic())
            self.rooms("… and beacons that stand still are in their rooms")
            self.lossless()
            self.end_programs()
        finally:
            nodes.end()

    def close(self) -> None:
        for program in [*self.resolvers.values(), *self.daemons.values()]:
            program.end(signal.SIGKILL)
        for watcher in self.watchers:
            watcher.close()
        for tap in self.taps:
            tap.close()
        self.broker.end()
        self.house.close()


def answered_since(payload: str) -> float:
    """When the answer became so: seconds since 1970."""
    if not payload:
        return 0
    text = json.loads(payload)["since"]
    return calendar.timegm(time.strptime(text[:19], "%Y-%m-%dT%H:%M:%S"))


def contradict(one: dict[float, set[str]], two: dict[float, set[str]]) -> bool:
    """Whether two resolvers that sometimes had to wait have told different things about the lasting stays of a beacon.

    Of seconds that it resolves together, a resolver publishes only the last answer. So it may lack a position that was
    soon replaced, and it takes over what the other has told. But both tell the same stays, and share an answer about
    each of them, bit by bit."""
    return list(one) != list(two) or any(one[stay].isdisjoint(two[stay]) for stay in one)


def lasting(one: list[str], two: list[str], end: float) -> list[dict[float, set[str]]]:
    """The stays of two resolvers' answers, without those that need not have been told.

    Where a resolver lacks a brief stay, the one before it seems longer. So a stay is brief if either of them tells that
    the beacon was soon elsewhere. Of what begins just before the end, neither has told how long it is."""
    told = [stays(one), stays(two)]
    begins = sorted(told[0].keys() | told[1].keys())
    brief = {begin for begin, after in zip(begins, begins[1:]) if after - begin < BRIEF}
    return [{begin: payloads for begin, payloads in each.items() if begin not in brief and begin <= end - BRIEF}
            for each in told]


def stays(answers: list[str]) -> dict[float, set[str]]:
    """The answers about each stay in a room, or nowhere, by its begin and in the order in which they were told. Of two
    rooms from the same second, the last one counts."""
    found: dict[tuple, set[str]] = {}
    for payload in answers:
        found.setdefault((answered_since(payload), json.loads(payload)["room"]), set()).add(payload)
    return {since: payloads for (since, _), payloads in found.items()}


def wall(monotonic: float) -> float:
    return time.time() - time.monotonic() + monotonic


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ["bin", "mosquitto", "clock-shift"]:
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--ejabberd", help="the folder in which its package is unpacked")
    parser.add_argument("--note", default="", help="stands behind the CPU time")
    parser.add_argument("--part", choices=["mosquitto", "cluster"], help="only this")
    parser.add_argument(
        "--apart", type=int, default=10, help="seconds by which one scanner's clock is ahead, and another's is behind")
    parser.add_argument("--short", action="store_true")
    parser.add_argument(
        "--unjudged-memory", action="store_true", help="only show it: for programs with a sanitizer, which takes memory too")
    parser.add_argument("--keep", action="store_true", help="leave the logs")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    folder = pathlib.Path(tempfile.mkdtemp(prefix="beacond-fleet-"))
    try:
        return 0 if Trial(options, folder).run() else 1
    finally:
        if options.keep:
            print(f"logs: {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
