"""What the checks of clients start: programs of this project, with folders of their own."""
import functools
import http.server
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path


class Checks:
    """Counts checks. Their names say what is expected."""

    def __init__(self):
        self.passed = 0
        self.failed = 0
        # A signal that ends the checks also ends the programs that they have started.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))

    def expect(self, what, problem):
        """`problem` is empty where all is well."""
        if problem:
            self.failed += 1
            print(f"  FAIL  {what}", flush=True)
            for line in str(problem).splitlines()[:40]:
                print(f"        {line}", flush=True)
        else:
            self.passed += 1
            print(f"  ok    {what}", flush=True)

    def end(self):
        print(f"{self.passed} passed, {self.failed} failed")
        sys.exit(1 if self.failed or not self.passed else 0)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def wait_until(what, condition, seconds=30):
    end = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > end:
            raise SystemExit(f"{what}: not within {seconds} s")
        time.sleep(0.1)
    return value


class Program:
    """A program that runs until it is stopped. Its output is in a file."""

    def __init__(self, log, *command):
        self.log = Path(log)
        with self.log.open("ab") as file:
            self.process = subprocess.Popen([str(word) for word in command], stdout=file, stderr=file,
                                            stdin=subprocess.DEVNULL)

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        return self.process.returncode


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def serve_folder(folder):
    """Serves files on a free port of this machine. Returns the address."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"
