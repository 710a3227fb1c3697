"""Ports of 127.0.0.1 for programs that are started later."""

from __future__ import annotations

import socket


def free_ports(count: int) -> list[int]:
    """Ports that nobody uses. All are held until all are chosen, so that they differ."""
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def free_port() -> int:
    return free_ports(1)[0]
