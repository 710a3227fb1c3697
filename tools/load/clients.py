"""Clients at their worst."""
import http.client
import json
import os
import shutil
import socket
import threading
import time

UUID = "7a0e5f3c-2d81-4b6a-9c47-51e8b3d2f096"


class Load:
    """One load. `close` removes what is created here."""

    #: The least duration in seconds.
    least = 0
    #: Whether the CPU time of the following ten seconds is of interest.
    has_after = False

    def __init__(self, folder, options):
        self.folder, self.options = folder, options
        self.source = "sim"
        self.settings = {}
        self.state = f"{folder}/state"
        os.makedirs(self.state, exist_ok=True)

    def warm_up(self, daemon):
        time.sleep(2)

    def run(self, daemon, end):
        """Runs until `end`. Returns how many requests were answered."""
        time.sleep(max(0, end - time.time()))
        return 0

    def finish(self, daemon):
        """Returns further text for the result, and whether everything was as required."""
        return "", True

    def close(self):
        pass


def until(end, count, body):
    """Runs `body` repeatedly in `count` threads, and returns how often it was completed."""
    done = [0] * count

    def work(number):
        while time.time() < end:
            try:
                done[number] += 1 if body(number) is not False else 0
            except (OSError, http.client.HTTPException):
                time.sleep(0.05)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(done)


def asked(daemon, path):
    """Returns whether the request was answered. After a refusal it waits a little, as clients do."""
    if daemon.get(path)[0] == 200:
        return True
    time.sleep(0.1)
    return False


class Idle(Load):
    """nothing besides ranging, history and a port"""


class Content(Load):
    """16 clients that ask for the list of 4,000 manifests"""

    def __init__(self, folder, options):
        super().__init__(folder, options)
        for number in range(4000):
            beacons = f"{self.state}/content/beacons/{UUID}/{number // 256}"
            os.makedirs(beacons, exist_ok=True)
            images = [{"id": str(image), "title": "A picture of the load test " * 4,
                       "asset": {"sha256": f"{number * 10 + image:064x}", "bytes": 1000, "media_type": "image/png"}}
                      for image in range(5)]
            with open(f"{beacons}/{number % 256}.json", "w") as file:
                json.dump({"format": 1, "beacon": {"uuid": UUID, "major": number // 256, "minor": number % 256,
                                                   "name": f"Exhibit {number}"}, "images": images}, file)

    def run(self, daemon, end):
        return until(end, 16, lambda _: asked(daemon, "/v1/content"))


class Readers(Load):
    """200 that read a file of 300 MiB as slowly as they may"""

    def __init__(self, folder, options):
        super().__init__(folder, options)
        asset = f"{self.state}/content/assets/00"
        os.makedirs(asset, exist_ok=True)
        with open(f"{asset}/{'0' * 64}", "wb") as file:
            file.truncate(300 << 20)

    def run(self, daemon, end):
        sockets = []
        for _ in range(200):
            reader = socket.socket(socket.AF_UNIX)
            reader.connect(daemon.socket)
            reader.sendall(f"GET /v1/content/assets/{'0' * 64} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            reader.setblocking(False)
            sockets.append(reader)
        answered = set()
        while time.time() < end:
            for reader in sockets:
                try:
                    if reader.recv(4096):
                        answered.add(reader)
                except OSError:
                    pass
            time.sleep(0.2)
        for reader in sockets:
            reader.close()
        return len(answered)


class Ranking(Load):
    """20 clients that ask for the ranking of 2,000 beacons, or follow it"""

    def __init__(self, folder, options):
        super().__init__(folder, options)
        self.source = f"file:{folder}/many.csv"
        with open(f"{folder}/many.csv", "w") as file:
            file.write("time,scanner,uuid,major,minor,measured_power,rssi\n")
            for tick in range(options.seconds + 30):
                for number in range(2000):
                    file.write(f"{1000 + tick + number / 2000:.4f},load,{UUID},{number // 256},{number % 256},-59,"
                               f"{-50 - number % 40}\n")

    def run(self, daemon, end):
        def follow(number):
            if number % 2:
                return asked(daemon, "/v1/ranging")
            connection = socket.socket(socket.AF_UNIX)
            connection.settimeout(5)
            connection.connect(daemon.socket)
            connection.sendall(b"GET /v1/events?states=1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
            while time.time() < end and connection.recv(1 << 20):
                pass
            connection.close()
            return True
        return until(end, 20, follow)


class Report(Load):
    """16 clients that ask for reports, each for one of its own, in all forms; over 30 days with --history"""

    def __init__(self, folder, options):
        super().__init__(folder, options)
        self.settings = {"history": {"enabled": True, "maximum_bytes": 2_000_000_000, "retention_days": 60}}
        if options.history:
            shutil.copy(options.history, f"{self.state}/history.sqlite")

    def warm_up(self, daemon):
        # The daemon first has to open a file that was written elsewhere.
        while daemon.get("/v1/history?since=1h&format=json")[0] != 200:
            time.sleep(0.5)
        time.sleep(2)

    def run(self, daemon, end):
        forms = ["html", "json", "text", "csv"]
        return until(end, 16, lambda number: asked(
            daemon, f"/v1/history?since=all&format={forms[number % 4]}&columns={80 + number}"))


class Leaving(Report):
    """16 clients that ask for reports and leave at once"""

    def run(self, daemon, end):
        def ask(number):
            connection = socket.socket(socket.AF_UNIX)
            connection.connect(daemon.socket)
            path = f"/v1/history?since=all&format=html&columns={80 + number}"
            connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            time.sleep(0.05)
            connection.close()
        return until(end, 16, ask)


class Connections(Load):
    """1,024 that are connected and say nothing, and others that come and go"""

    def run(self, daemon, end):
        held = []
        for number in range(1024):
            try:
                if number % 2:
                    held.append(socket.create_connection(("127.0.0.1", daemon.port), timeout=2))
                else:
                    client = socket.socket(socket.AF_UNIX)
                    client.settimeout(2)
                    client.connect(daemon.socket)
                    held.append(client)
            except OSError:
                pass
        done = until(end, 8, lambda _: socket.create_connection(("127.0.0.1", daemon.port), timeout=2).close())
        for each in held:
            each.close()
        time.sleep(1.5)
        return done
