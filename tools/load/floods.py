"""Floods of identities on the air, and of names in a site's list."""
import json
import signal
import time

import radio
import hostile_lists
from clients import Load

#: The history uses intervals of one second, so that a minute of flood fills it like an hour with normal settings.
INTERVAL = 1
LARGEST = 16_777_216


class Flood(Load):
    """1,000 new identities a second beside 20 genuine beacons"""

    least = 60
    has_after = True
    rate = 1000

    def __init__(self, folder, options):
        super().__init__(folder, options)
        self.radio = radio.Radio(folder)
        self.source = self.radio.source
        self.settings = {"history": {"enabled": True, "interval_s": INTERVAL, "maximum_bytes": LARGEST}}
        self.largest = 0

    def warm_up(self, daemon):
        # Long enough for a history of the genuine beacons.
        time.sleep(15 * INTERVAL)

    def run(self, daemon, end):
        self.radio.forged_per_second = self.rate
        while time.time() < end:
            self.largest = max(self.largest, daemon.history_bytes)
            time.sleep(0.1)
        self.radio.forged_per_second = 0
        return self.radio.forged_sent

    def finish(self, daemon):
        self.largest = max(self.largest, daemon.history_bytes)
        sent = self.radio.genuine_sent
        began = time.time()
        status, body = daemon.get("/v1/history?since=all&format=json")
        took = time.time() - began
        if status != 200:
            return f"the report was refused: {body[:200]}", False
        report = json.loads(body)
        genuine = [beacon for beacon in report["beacons"] if beacon["uuid"].replace("-", "").lower() == radio.UUID.hex()]
        stays = sum(beacon["visits"] for beacon in genuine)
        kept = sum(beacon["count"] for beacon in genuine)
        lost = daemon.metrics().get("beacond_sightings_dropped_total", 0)
        words = (f"{len(genuine)} of {radio.GENUINE} genuine with {kept} of {sent} sightings in {stays} visits, "
                 f"{len(report['beacons']) - len(genuine)} forged kept; history {self.largest / 1e6:.1f} MB at most; "
                 f"report in {took:.1f} s; {lost:.0f} sightings lost before ranging")
        # The sightings between the radio and the history have not arrived yet.
        is_good = len(genuine) == radio.GENUINE and kept + lost >= sent - 10 * radio.GENUINE and self.largest <= LARGEST
        return words, is_good

    def close(self):
        self.radio.close()


class Torrent(Flood):
    """10,000 new identities a second beside 20 genuine beacons"""

    rate = 10_000


class HostileSite(Load):
    """a site with 16 MiB lists of 65,536 names, of too many, of eight million values, and of one name, in turn"""

    least = 60
    has_after = True

    def __init__(self, folder, options):
        super().__init__(folder, options)
        self.site = hostile_lists.Site()
        self.settings = {"content": {"base_url": self.site.url, "sync_interval_s": 3}}

    def run(self, daemon, end):
        while time.time() < end:
            daemon.process.send_signal(signal.SIGUSR1)
            time.sleep(1)
        return self.site.lists

    def finish(self, daemon):
        largest = max(len(body) for body in self.site.bodies)
        return (f"{self.site.lists} lists of up to {largest / (1 << 20):.1f} MiB, "
                f"{self.site.requests - self.site.lists} other requests"), True

    def close(self):
        self.site.close()
