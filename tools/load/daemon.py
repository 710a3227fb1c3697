"""A separate daemon, and what it reports about itself."""
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import time

from process import Process


class Unix(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=60)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


class Daemon:
    """Runs from its creation to `stop`."""

    def __init__(self, program, folder, source="sim", settings=None, limit=None, environment=None):
        self.folder = folder
        self.socket = f"{folder}/control.sock"
        self.port = free_port()
        self.stopped_after = None
        # JSON is valid YAML.
        with open(f"{folder}/beacond.yaml", "w") as file:
            json.dump({"http": {"listen": f"127.0.0.1:{self.port}"}, "history": {"enabled": True}, **(settings or {})}, file)
        command = [program, "--config", f"{folder}/beacond.yaml", "--source", source, "--state-dir", f"{folder}/state",
                   "--socket", self.socket]
        if limit:
            command = ["bash", "-c", f'ulimit -n {limit}; exec "$@"', "-", *command]
        if environment:
            # libfaketime changes the environment of the program that loads it first, and Swift finds a program's
            # arguments beside the environment: so it is not beacond that loads it first.
            command = ["env", *command]
        self.log = open(f"{folder}/log", "w")
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log, env={**os.environ, **(environment or {})})
        #: Since its start.
        self.counts = Process(self.process.pid)
        deadline = time.time() + 30
        while time.time() < deadline:
            try:
                if self.get("/healthz")[0] == 200:
                    return
            except OSError:
                time.sleep(0.1)
        raise SystemExit(f"the daemon does not answer:\n{self.told()}")

    def get(self, path):
        connection = Unix(self.socket)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def told(self):
        with open(f"{self.folder}/log", errors="replace") as file:
            return file.read()

    def metrics(self):
        """Values by name; of metrics with labels, the sum."""
        sums = {}
        for name, value in re.findall(r"^([a-z_]+)(?:\{.*\})? (\S+)$", self.get("/metrics")[1].decode(), re.M):
            sums[name] = sums.get(name, 0.0) + float(value)
        return sums

    @property
    def gap(self):
        return self.metrics().get("beacond_ranging_longest_tick_gap_seconds", 0.0)

    @property
    def cpu(self):
        """The CPU time so far, in seconds."""
        return self.counts.cpu

    @property
    def peak(self):
        """The peak of memory so far, in MiB."""
        return self.counts.field("status", "VmHWM") / 1024

    @property
    def history_bytes(self):
        """The size of the history's files, in bytes."""
        sizes = [0]
        for suffix in ["", "-wal", "-shm"]:
            try:
                sizes.append(os.stat(f"{self.folder}/state/history.sqlite{suffix}").st_size)
            except OSError:
                pass
        return sum(sizes)

    def stop(self):
        """Stops the daemon, and measures how long that takes."""
        if self.process.poll() is not None:
            raise SystemExit(f"the daemon has ended with {self.process.returncode}:\n{self.told()[-2000:]}")
        began = time.time()
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.stopped_after = time.time() - began
        self.log.close()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
