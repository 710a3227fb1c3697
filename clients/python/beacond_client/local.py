"""Clients of the daemon on this machine, over its Unix socket."""

import os

import httpx

from .client import Client

SYSTEM_SOCKET = "/run/beacond/control.sock"


def socket_path() -> str:
    """The socket that beaconctl would ask: $BEACOND_CONTROL_SOCKET, the service's, or that of this user's daemon."""
    named = os.environ.get("BEACOND_CONTROL_SOCKET")
    if named:
        return named
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    if runtime and not os.path.exists(SYSTEM_SOCKET):
        return os.path.join(runtime, "beacond", "control.sock")
    return SYSTEM_SOCKET


def local_client(path: str | None = None, timeout: float = 60.0) -> Client:
    """A client for the Unix socket, for sync and async requests. It needs no token, and may also change things."""
    path = path or socket_path()
    base = "http://localhost"
    client = Client(base)
    client.set_httpx_client(httpx.Client(base_url=base, timeout=timeout, transport=httpx.HTTPTransport(uds=path)))
    client.set_async_httpx_client(
        httpx.AsyncClient(base_url=base, timeout=timeout, transport=httpx.AsyncHTTPTransport(uds=path))
    )
    return client
