"""The daemon's events and sightings as async iterators."""

import asyncio
import json
import random
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

import httpx

from .api.default import get_v1_events, get_v1_sightings, get_v1_status
from .client import AuthenticatedClient, Client
from .models.refusal import Refusal

# Bytes of one message, and of one line. A ranking of thousands of beacons is smaller.
LARGEST_MESSAGE = 16 << 20
# Seconds. The daemon sends a comment after 15 s of silence.
LONGEST_SILENCE = 45.0
# Seconds between attempts to connect.
SHORTEST_WAIT = 0.5
LONGEST_WAIT = 30.0


@dataclass(frozen=True)
class Event:
    """An event or a state. `id` is None for states, and for `missed`: events before it are no longer kept."""

    kind: str
    data: dict[str, Any]
    id: int | None = None


class Refused(Exception):
    """The daemon refuses the request, and asking again would not help."""

    def __init__(self, status: int, refusal: Refusal):
        super().__init__(f"{refusal.error} (HTTP {status}); {refusal.what_to_do}")
        self.status = status
        self.refusal = refusal


class TooLong(Exception):
    """A line or message is longer than LARGEST_MESSAGE."""


async def events(
    client: AuthenticatedClient | Client, *, after: int | None = None, states: bool = False
) -> AsyncIterator[Event]:
    """Events in order, each once, until the caller stops.

    Connects again when the connection is lost, and goes on after the last event. Without `after`, begins with the next
    event. With `states`, the states `ranging` and `progress` come, too; they have no number and are not repeated.
    Raises Refused.
    """
    pace = _Pace()
    last = after
    while True:
        try:
            if last is None:
                # So that no event is lost if the first connection ends before it has given one.
                last = await _last_event(client)
            async with aclosing(_connection(client, last, states, pace)) as connection:
                async for event in connection:
                    if event.id is not None:
                        if event.id <= last:
                            continue
                        last = event.id
                    elif event.kind == "missed":
                        # What follows may have lower numbers, after the daemon lost its history. In one connection
                        # they only rise.
                        last = 0
                    yield event
        except httpx.TransportError:
            pass
        except _Unavailable as error:
            pace.ask_for(error.seconds)
        await asyncio.sleep(pace.next_wait())


async def sightings(client: AuthenticatedClient | Client, beacons: list[str] | None = None) -> AsyncIterator[dict[str, Any]]:
    """Each received iBeacon, live, until the connection ends. Raises Refused, and httpx.TransportError.

    At most 64 beacons can be named.
    """
    wish: dict[str, Any] = {"format_": "json"} | ({"beacon": beacons} if beacons else {})
    async with client.get_async_httpx_client().stream(
        **get_v1_sightings._get_kwargs(**wish), timeout=httpx.Timeout(30.0, read=None)
    ) as response:
        await _check(response)
        async for line in _lines(response):
            if line:
                yield json.loads(line)


async def _last_event(client: AuthenticatedClient | Client) -> int:
    response = await client.get_async_httpx_client().request(**get_v1_status._get_kwargs())
    await _check(response)
    return int(response.json()["last_event"])


async def _connection(
    client: AuthenticatedClient | Client, last: int, states: bool, pace: "_Pace"
) -> AsyncIterator[Event]:
    wish: dict[str, Any] = {"states": "1"} if states else {}
    request = get_v1_events._get_kwargs(**wish)
    request["headers"] = {"Accept": "text/event-stream", "Last-Event-ID": str(last)}
    timeout = httpx.Timeout(30.0, read=LONGEST_SILENCE)
    async with client.get_async_httpx_client().stream(**request, timeout=timeout) as response:
        await _check(response)
        pace.reset()
        kind, number, data = "message", None, bytearray()
        async for line in _lines(response):
            name, _, value = line.partition(b":")
            value = value.removeprefix(b" ")
            if not line:
                if data:
                    yield Event(kind, json.loads(data), number)
                kind, number, data = "message", None, bytearray()
            elif name == b"event":
                kind = value.decode()
            elif name == b"id" and value.isdigit():
                number = int(value)
            elif name == b"data":
                if len(data) + len(value) > LARGEST_MESSAGE:
                    raise TooLong(f"a message has more than {LARGEST_MESSAGE} bytes")
                if data:
                    data += b"\n"
                data += value
            elif name == b"retry" and value.isdigit():
                pace.shortest = min(int(value) / 1000, LONGEST_WAIT)


async def _lines(response: httpx.Response) -> AsyncIterator[bytes]:
    """Lines without their ends. A line that is not complete when the connection ends is dropped."""
    rest = bytearray()
    async for piece in response.aiter_bytes():
        searched = len(rest)
        rest += piece
        start = 0
        while (end := rest.find(b"\n", max(start, searched))) >= 0:
            yield bytes(rest[start:end]).removesuffix(b"\r")
            start = end + 1
        del rest[:start]
        if len(rest) > LARGEST_MESSAGE:
            raise TooLong(f"a line has more than {LARGEST_MESSAGE} bytes")


async def _check(response: httpx.Response) -> None:
    """Raises for what is not 200: _Unavailable if another attempt makes sense."""
    if response.status_code == 200:
        return
    await response.aread()
    if response.status_code in (408, 425, 429) or response.status_code >= 500:
        wish = response.headers.get("Retry-After", "")
        raise _Unavailable(float(wish) if wish.isdigit() else 0.0)
    try:
        refusal = Refusal.from_dict(response.json())
    except (ValueError, KeyError, TypeError):
        refusal = Refusal(error="the request is refused", what_to_do="look whether this is a beacond")
    raise Refused(response.status_code, refusal)


class _Unavailable(Exception):
    def __init__(self, seconds: float):
        super().__init__()
        self.seconds = seconds


class _Pace:
    """How long to wait before the next attempt: longer each time, and not in step with other clients."""

    def __init__(self) -> None:
        self.shortest = SHORTEST_WAIT
        self._attempts = 0
        self._asked = 0.0

    def reset(self) -> None:
        self._attempts = 0

    def ask_for(self, seconds: float) -> None:
        """The server's Retry-After, an hour at most."""
        self._asked = min(seconds, 3600.0)

    def next_wait(self) -> float:
        wait = min(self.shortest * 2**self._attempts, LONGEST_WAIT) * random.uniform(0.75, 1.25)
        self._attempts = min(self._attempts + 1, 10)
        wait, self._asked = max(wait, self._asked), 0.0
        return wait
