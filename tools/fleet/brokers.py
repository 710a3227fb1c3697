"""Real brokers on the loopback address: mosquitto, and a cluster of ejabberd nodes."""
from __future__ import annotations

import json
import os
import pathlib
import socket
import subprocess
import time


def held_port() -> socket.socket:
    """A socket with a port that nobody else gets while it is open. A server that sets SO_REUSEADDR can listen there."""
    holder = socket.socket()
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind(("127.0.0.1", 0))
    return holder


def wait_for(port: int, process: subprocess.Popen, seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if process.poll() is not None:
            raise SystemExit(f"a broker has ended with {process.returncode}")
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise SystemExit(f"no broker listens at port {port} after {seconds:.0f} s")


class Mosquitto:
    """One that keeps what it retains over a restart."""

    user = None

    def __init__(self, program: str, folder: pathlib.Path) -> None:
        self.program, self.folder, self.process = program, folder / "mosquitto", None
        self.folder.mkdir()
        # Until the end, so that no other program takes the port while the broker is away.
        self.holder = held_port()
        self.port = self.holder.getsockname()[1]
        (self.folder / "mosquitto.conf").write_text(
            f"user root\npersistence true\npersistence_location {self.folder}/\nmax_queued_messages 0\n"
            f"listener {self.port} 127.0.0.1\nallow_anonymous true\n")

    @property
    def addresses(self) -> list[tuple[str, int]]:
        return [("127.0.0.1", self.port)]

    def begin(self) -> None:
        with open(self.folder / "log", "a") as log:
            self.process = subprocess.Popen(
                [self.program, "-c", str(self.folder / "mosquitto.conf")], stdout=log, stderr=log)
        wait_for(self.port, self.process)

    def end(self) -> None:
        if self.process:
            self.process.terminate()
            self.process.wait(120)
            self.process = None


class Ejabberd:
    """Nodes of one cluster, from Debian's packages unpacked in a folder."""

    user = "beacond@localhost"

    def __init__(self, unpacked: pathlib.Path, folder: pathlib.Path, nodes: int = 2) -> None:
        self.unpacked, self.folder = unpacked, folder
        # Until the end. Nodes and their mapper listen with SO_REUSEADDR: ejabberd asks Erlang for it.
        self.holders = [held_port() for _ in range(nodes + 1)]
        *self.ports, self.mapper_port = [holder.getsockname()[1] for holder in self.holders]
        self.processes: list[subprocess.Popen | None] = [None] * nodes
        erlang = unpacked / "usr/lib/erlang"
        [self.programs] = erlang.glob("erts-*/bin")
        libraries = unpacked / "usr/lib/x86_64-linux-gnu"
        if not libraries.exists():
            [libraries] = (unpacked / "usr/lib").glob("*-linux-gnu*")
        self.environment = {
            **os.environ, "ROOTDIR": str(erlang), "BINDIR": str(self.programs), "EMU": "beam", "PROGNAME": "erl",
            "ERL_LIBS": str(libraries), "ERL_EPMD_ADDRESS": "127.0.0.1", "ERL_EPMD_PORT": str(self.mapper_port),
        }
        self.mapper: subprocess.Popen | None = None

    @property
    def addresses(self) -> list[tuple[str, int]]:
        return [("127.0.0.1", port) for port in self.ports]

    def begin(self) -> None:
        self.mapper = subprocess.Popen([str(self.programs / "epmd")], env=self.environment, stdout=subprocess.DEVNULL)
        wait_for(self.mapper_port, self.mapper)
        for node in range(len(self.ports)):
            self.begin_node(node)

    #: What `ejabberdctl join_cluster` does to a node that runs, before it runs: copies of all tables of the first node.
    JOIN = (
        "F = 'fleet0@localhost', mnesia:start(), {ok, _} = mnesia:change_config(extra_db_nodes, [F]), "
        "mnesia:change_table_copy_type(schema, node(), disc_copies), "
        "[mnesia:add_table_copy(T, node(), K) || T <- mnesia:system_info(tables) -- [schema], "
        "K <- [ram_copies, disc_copies, disc_only_copies], lists:member(F, mnesia:table_info(T, K))], "
        "mnesia:wait_for_tables(mnesia:system_info(tables), 30000), ")

    def begin_node(self, node: int) -> None:
        place = self.folder / f"ejabberd{node}"
        (place / "spool").mkdir(parents=True, exist_ok=True)
        # JSON is YAML.
        (place / "ejabberd.yml").write_text(json.dumps({
            "hosts": ["localhost"], "loglevel": "warning", "auth_method": "anonymous",
            "anonymous_protocol": "login_anon", "allow_multiple_connections": True,
            "listen": [{"port": self.ports[node], "ip": "127.0.0.1", "module": "mod_mqtt", "backlog": 1000}],
            "shaper": {}, "modules": {"mod_mqtt": {"max_queue": 100000, "max_topic_depth": 12}},
        }))
        environment = {
            **self.environment, "EJABBERD_CONFIG_PATH": f"{place}/ejabberd.yml",
            "EJABBERD_LOG_PATH": f"{place}/ejabberd.log", "HOME": str(place),
        }
        with open(place / "log", "w") as log:
            self.processes[node] = subprocess.Popen(
                [str(self.programs / "erlexec"), "-noinput", "-sname", f"fleet{node}@localhost", "-setcookie", "fleet",
                 "-kernel", "inet_dist_use_interface", "{127,0,0,1}", "-mnesia", "dir", f'"{place}/spool"',
                 "-mnesia", "core_dir", "false", "-eval", (self.JOIN if node else "") + "ejabberd:start()."],
                env=environment, stdout=log, stderr=log, cwd=place)
        wait_for(self.ports[node], self.processes[node])

    def kill(self, node: int) -> None:
        process = self.processes[node]
        if process:
            process.kill()
            process.wait(30)
            self.processes[node] = None

    def end(self) -> None:
        for node in range(len(self.processes)):
            self.kill(node)
        if self.mapper:
            self.mapper.terminate()
            self.mapper.wait(10)
            self.mapper = None
        for holder in self.holders:
            holder.close()
