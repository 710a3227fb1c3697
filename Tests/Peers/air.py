#!/usr/bin/env python3
"""An emulated air for the tests: rootcanal on free loopback ports.

Starts rootcanal and prints one JSON line when its controllers can be reached:

    {"pid": 1234, "hci": 40001, "legacy": 40002}

Each connection to `hci` is a new controller with extended advertising, each connection to `legacy` one without.
They all hear each other. Lines on standard input:

    freeze          no answer and no packet from any controller any more
    <end of input>  ends rootcanal and this program

Exit status 0 after an orderly end; 1, with rootcanal's last words, when rootcanal ended by itself (it aborts on
a command of the wrong length).
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import pathlib
import platform
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

from ports import free_ports


def find_rootcanal() -> pathlib.Path:
    """The binary inside the wheel, which brings no console script."""
    package = importlib.util.find_spec("rootcanal")
    if package is None or not package.submodule_search_locations:
        sys.exit("air.py: no rootcanal here: run it with the Python of .tools/venv (tools/test makes it)")
    folder = pathlib.Path(package.submodule_search_locations[0]) / "bin" / f"linux-{platform.machine()}"
    binary = folder / "rootcanal"
    if not binary.exists():
        sys.exit(f"air.py: the rootcanal package has no program for {platform.machine()}")
    return binary


def start(binary: pathlib.Path, log: pathlib.Path) -> tuple[subprocess.Popen[bytes], list[int]]:
    ports = free_ports(5)
    hci, legacy, test, link, link_ble = ports
    configuration = (
        f"tcp_server {{ tcp_port: {hci} }} "
        f"tcp_server {{ tcp_port: {legacy} configuration {{ features "
        "{ le_extended_advertising: false le_periodic_advertising: false } } }"
    )
    with log.open("wb") as output:
        process = subprocess.Popen(
            # Whatever ends this program, even SIGKILL, ends rootcanal too.
            ["setpriv", "--pdeathsig", "KILL"]
            + [
                str(binary),
                f"--configuration={configuration}",
                f"--test_port={test}",
                f"--link_port={link}",
                f"--link_ble_port={link_ble}",
            ],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd=log.parent,
            env={**os.environ, "LD_LIBRARY_PATH": str(binary.parent)},
        )
    return process, [hci, legacy, test]


def listening(port: int) -> bool:
    """Whether somebody listens, without connecting: a connection would make a controller."""
    wanted = f":{port:04X} "
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        try:
            lines = pathlib.Path(table).read_text().splitlines()[1:]
        except OSError:
            continue
        if any(wanted in f"{line.split()[1]} " and line.split()[3] == "0A" for line in lines):
            return True
    return False


def wait_until_up(process: subprocess.Popen[bytes], ports: list[int], seconds: float = 35) -> bool:
    """Three of these waits are shorter than the two minutes for which tests wait for the air."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        if all(listening(port) for port in ports):
            return True
        time.sleep(0.05)
    return False


def test_command(port: int, name: str) -> str:
    """One command on rootcanal's test channel: length and name, then the number of arguments."""

    def answer() -> str:
        size = int.from_bytes(channel.recv(4, socket.MSG_WAITALL), "little")
        return channel.recv(size, socket.MSG_WAITALL).decode(errors="replace")

    # rootcanal greets first, and aborts when it cannot write an answer: read everything before closing.
    with socket.create_connection(("127.0.0.1", port), timeout=60) as channel:
        answer()
        channel.sendall(bytes([len(name)]) + name.encode() + bytes([0]))
        return answer()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.parse_args()

    # The same way out for SIGTERM, SIGINT and an end of input.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    signal.signal(signal.SIGINT, lambda *_: sys.exit(0))

    with tempfile.TemporaryDirectory(prefix="beacond-air-") as folder:
        log = pathlib.Path(folder) / "rootcanal.log"
        binary = find_rootcanal()
        # Another program may take a port between the choice and the use, so try again.
        for _ in range(3):
            process, ports = start(binary, log)
            if wait_until_up(process, ports):
                break
            process.kill()
            process.wait()
        else:
            sys.stderr.write(log.read_text(errors="replace"))
            print("air.py: rootcanal does not start", file=sys.stderr)
            return 1

        ending = threading.Event()

        def watch() -> None:
            status = process.wait()
            if not ending.is_set():
                sys.stderr.write(log.read_text(errors="replace")[-2000:])
                print(f"air.py: rootcanal ended by itself with {status}", file=sys.stderr, flush=True)
                os._exit(1)

        threading.Thread(target=watch, daemon=True).start()
        try:
            print(json.dumps({"pid": process.pid, "hci": ports[0], "legacy": ports[1]}), flush=True)
            for line in sys.stdin:
                if line.strip() == "freeze":
                    test_command(ports[2], "stop_timer")
                    print(json.dumps({"frozen": True}), flush=True)
        finally:
            ending.set()
            process.terminate()
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
    return 0


if __name__ == "__main__":
    sys.exit(main())
