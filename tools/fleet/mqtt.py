"""MQTT 3.1.1, as far as the trial of the fleet needs it: a client that records what it gets, and a tap between a client
and its broker that records what the client publishes."""
from __future__ import annotations

import contextlib
import socket
import struct
import threading
import time
from typing import NamedTuple

CONNECT, CONNACK, PUBLISH, PUBACK, SUBSCRIBE, SUBACK, PINGREQ = 1, 2, 3, 4, 8, 9, 12


class Message(NamedTuple):
    #: Seconds of the monotonic clock.
    time: float
    topic: str
    payload: str
    is_retained: bool


class Packets:
    """Cuts octets into packets: (type, flags, body)."""

    def __init__(self) -> None:
        self.rest = b""

    def feed(self, octets: bytes):
        self.rest += octets
        while True:
            length, shift, index = 0, 0, 1
            while True:
                if index >= len(self.rest):
                    return
                octet = self.rest[index]
                length |= (octet & 0x7F) << shift
                index, shift = index + 1, shift + 7
                if not octet & 0x80:
                    break
            if len(self.rest) < index + length:
                return
            packet = self.rest[0] >> 4, self.rest[0] & 15, self.rest[index:index + length]
            self.rest = self.rest[index + length:]
            yield packet


def packet(kind: int, flags: int, body: bytes) -> bytes:
    length, octets = len(body), b""
    while True:
        octets += bytes([length & 0x7F | (0x80 if length > 0x7F else 0)])
        length >>= 7
        if not length:
            return bytes([kind << 4 | flags]) + octets + body


def text(value: str) -> bytes:
    return struct.pack(">H", len(value.encode())) + value.encode()


def publication(flags: int, body: bytes) -> tuple[Message, int]:
    """The message, and its identifier; 0 with QoS 0."""
    length = struct.unpack_from(">H", body)[0]
    topic, rest, identifier = body[2:2 + length].decode(), body[2 + length:], 0
    if flags & 6:
        identifier, rest = struct.unpack_from(">H", rest)[0], rest[2:]
    return Message(time.monotonic(), topic, rest.decode(errors="replace"), bool(flags & 1)), identifier


class Client:
    """Subscribes with a lasting session, and comes back by itself."""

    def __init__(self, address: tuple[str, int], name: str, topics: list[str], user: str | None = None) -> None:
        self.address, self.name, self.topics, self.user = address, name, topics, user
        self.messages: list[Message] = []
        self.is_over, self.connection = False, None
        self.ready = threading.Event()
        threading.Thread(target=self.keep, daemon=True).start()

    def keep(self) -> None:
        while not self.is_over:
            with contextlib.suppress(OSError):
                self.run()
            self.ready.clear()
            time.sleep(0.2)

    def run(self) -> None:
        with socket.create_connection(self.address, timeout=5) as connection:
            self.connection = connection
            flags = 0x80 | 0x40 if self.user else 0
            login = text(self.user) + text("none") if self.user else b""
            connection.sendall(packet(CONNECT, 0, text("MQTT") + bytes([4, flags, 0, 60]) + text(self.name) + login))
            packets, connection_began = Packets(), time.monotonic()
            connection.settimeout(1)
            asked = connection_began
            while not self.is_over:
                if time.monotonic() - asked > 20:
                    asked = time.monotonic()
                    connection.sendall(packet(PINGREQ, 0, b""))
                try:
                    octets = connection.recv(1 << 16)
                except TimeoutError:
                    continue
                if not octets:
                    return
                for kind, flags, body in packets.feed(octets):
                    self.take(connection, kind, flags, body)

    def take(self, connection: socket.socket, kind: int, flags: int, body: bytes) -> None:
        if kind == CONNACK:
            if body[1]:
                raise SystemExit(f"the broker refuses the client {self.name}: {body[1]}")
            topics = b"".join(text(topic) + b"\x01" for topic in self.topics)
            connection.sendall(packet(SUBSCRIBE, 2, b"\x00\x01" + topics))
        elif kind == SUBACK:
            self.ready.set()
        elif kind == PUBLISH:
            message, identifier = publication(flags, body)
            self.messages.append(message)
            if identifier:
                connection.sendall(packet(PUBACK, 0, struct.pack(">H", identifier)))

    def close(self) -> None:
        self.is_over = True
        if self.connection:
            with contextlib.suppress(OSError):
                self.connection.shutdown(socket.SHUT_RDWR)


class Tap:
    """Takes a client's connections on a port of its own, and hands on everything both ways."""

    def __init__(self, broker: tuple[str, int], messages: list[Message] | None = None) -> None:
        self.broker = broker
        self.messages = [] if messages is None else messages
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self) -> None:
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            try:
                broker = socket.create_connection(self.broker, timeout=5)
            except OSError:
                client.close()
                continue
            broker.settimeout(None)
            threading.Thread(target=self.hand_on, args=(client, broker, Packets()), daemon=True).start()
            threading.Thread(target=self.hand_on, args=(broker, client, None), daemon=True).start()

    def hand_on(self, source: socket.socket, target: socket.socket, packets: Packets | None) -> None:
        with contextlib.suppress(OSError):
            while octets := source.recv(1 << 16):
                for kind, flags, body in packets.feed(octets) if packets else []:
                    if kind == PUBLISH:
                        self.messages.append(publication(flags, body)[0])
                target.sendall(octets)
        for each in [source, target]:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self.listener.close()
