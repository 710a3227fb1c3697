#!/usr/bin/env python3
"""endless_broker.py PORT: an MQTT broker that sends each client a message of 256 MiB, if it wants its old session.

Prints a line for each connection: `old` or `new` session, and how many octets of the message it took.
"""
import contextlib
import socket
import sys
import time

# After so many octets the network pauses.
PART = 24 << 20


def octets(connection, count):
    got = b""
    while len(got) < count:
        more = connection.recv(count - len(got))
        if not more:
            raise ConnectionError("the client has gone")
        got += more
    return got


def packet(connection):
    kind, length = octets(connection, 2)  # the packets of these clients are short
    return kind >> 4, octets(connection, length)


def serve(connection):
    _, connect = packet(connection)
    is_new = connect[7] & 2  # MQTT 3.1.1, section 3.1.2.4
    connection.sendall(b"\x20\x02\x00\x00")
    count = 0
    try:
        if not is_new:
            connection.sendall(b"\x32\xff\xff\xff\x7f\x00\x15beacond/hall-1/report\x00\x01")
        while not is_new and count < 1 << 28:
            before = count
            count += connection.send(b" " * (1 << 16))
            # As fast as a network of 500 Mbit/s. In the pause, a client that has to wait for its machine reads the rest.
            time.sleep(0.001 if count // PART == before // PART else 2)
        connection.recv(1)
    except OSError:
        pass
    print("new" if is_new else "old", count, flush=True)


with socket.create_server(("127.0.0.1", int(sys.argv[1]))) as server:
    print("listens", flush=True)
    while True:
        with server.accept()[0] as connection, contextlib.suppress(ConnectionError):
            serve(connection)
