"""The events of beacond or of beacon-fleet, as they happen, over server-sent events (HTML Living Standard, 9.2)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import httpx

# The server sends a comment every 15 s: silence for three of them is a dead connection.
SILENCE = 45.0
LONGEST_LINE = 4 << 20


@dataclass(frozen=True, slots=True)
class Event:
    """One event. States (`ranging`, `progress`, `rooms`) and `missed` have no number."""

    kind: str
    number: int | None
    data: dict[str, Any]


class Refused(Exception):
    """The server refuses the stream: another try would fail as well. The text says why."""


async def events(
    address: str, *, token: str | None = None, states: bool = False, after: int | None = None,
    longest_pause: float = 30.0,
) -> AsyncIterator[Event]:
    """Yields events until the caller stops, and reconnects as often as necessary.

    :param address: ``unix:/run/beacond/control.sock``, or ``http://HOST:PORT``.
    :param token: what the server asks for over TCP.
    :param states: also the states that the server adds to the events.
    :param after: the number of the last event that is known; without it, events from now on.
    :param longest_pause: seconds between two tries at most.
    :raises Refused: the address, the token or a parameter is wrong.
    """
    pause = 0.0
    async with _connection(address, token) as client:
        while True:
            headers = {} if after is None else {"Last-Event-ID": str(after)}
            try:
                async with client.stream("GET", "/v1/events", params={"states": 1} if states else {}, headers=headers) as answer:
                    await _check(answer)
                    async for event in _events(answer):
                        pause = 0.0
                        if event.number is not None:
                            if after is not None and event.number <= after:
                                continue
                            after = event.number
                        yield event
            except _Busy as busy:
                pause = max(pause, busy.seconds)
            except (httpx.TransportError, httpx.StreamError):
                pass
            pause = min(max(2 * pause, 0.5), longest_pause)
            await asyncio.sleep(pause)


class _Busy(Exception):
    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


def _connection(address: str, token: str | None) -> httpx.AsyncClient:
    transport = None
    if address.startswith("unix:"):
        transport = httpx.AsyncHTTPTransport(uds=address.removeprefix("unix:"))
        address = "http://localhost"
    headers = {"Accept": "text/event-stream"} | ({"Authorization": f"Bearer {token}"} if token else {})
    return httpx.AsyncClient(
        base_url=address, transport=transport, headers=headers, timeout=httpx.Timeout(10.0, read=SILENCE))


async def _check(answer: httpx.Response) -> None:
    if answer.status_code == 200:
        return
    if answer.status_code in (429, 503):
        seconds = answer.headers.get("Retry-After", "")
        raise _Busy(float(seconds) if seconds.isdigit() else 1.0)
    text = (await answer.aread())[:4096].decode(errors="replace")
    try:
        text = json.loads(text)["error"]
    except (ValueError, KeyError, TypeError):
        pass
    raise Refused(f"{answer.status_code}: {text}")


async def _events(answer: httpx.Response) -> AsyncIterator[Event]:
    kind, number, data = "message", None, []
    async for line in _lines(answer):
        if not line:
            if data:
                yield Event(kind, number, json.loads("\n".join(data)))
            kind, number, data = "message", None, []
            continue
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            kind = value
        elif field == "id" and value.isdigit():
            number = int(value)
        elif field == "data":
            data.append(value)


async def _lines(answer: httpx.Response) -> AsyncIterator[str]:
    rest = b""
    async for chunk in answer.aiter_bytes():
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield line.removesuffix(b"\r").decode(errors="replace")
        if len(rest) > LONGEST_LINE:
            raise Refused("the server sent a line of more than 4 MiB: this is no stream of events of beacond")
