"""A controller behind H4 that receives genuine beacons, and a given number of new identities a second."""
import contextlib
import os
import random
import socket
import struct
import threading
import time

UUID = bytes.fromhex("7a0e5f3c2d814b6a9c4751e8b3d2f096")
GENUINE = 20
#: How often each genuine beacon is received per second.
RATE = 2
#: The number of steps in which it sends each second.
STEPS = 20


def report(address, identity, rssi):
    """An LE Advertising Report of one iBeacon (Core Specification Vol 4, Part E, 7.7.65.2), as an H4 packet."""
    payload = b"\x02\x01\x06\x1a\xff\x4c\x00\x02\x15" + identity + b"\xc5"
    parameters = b"\x02\x01\x03\x01" + address + bytes([len(payload)]) + payload + struct.pack("b", rssi)
    return b"\x04\x3e" + bytes([len(parameters)]) + parameters


class Radio:
    """Listens on a socket in `folder` until it is closed; the source is `self.source`.

    Each of `genuine` beacons is received `rate` times a second (a divisor of STEPS) while it is in `present`.
    """

    def __init__(self, folder, genuine=GENUINE, rate=RATE):
        self.genuine, self.rate = genuine, rate
        self.present = range(genuine)
        self.source = f"h4:unix:{folder}/radio.sock"
        self.forged_per_second = 0
        self.genuine_sent = 0
        self.forged_sent = 0
        self.is_over = False
        self.is_away = False
        self.connections = []
        self.random = random.Random(1)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(f"{folder}/radio.sock")
        self.listener.listen(4)
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while not self.is_over:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            if self.is_away:
                connection.close()
                continue
            self.connections.append(connection)
            threading.Thread(target=self.answer, args=(connection,), daemon=True).start()
            self.accepted(connection)

    def accepted(self, connection):
        threading.Thread(target=self.send, args=(connection,), daemon=True).start()

    def hang_up(self):
        """Ends all connections, and refuses new ones until `answer_again`."""
        self.is_away = True
        while self.connections:
            connection = self.connections.pop()
            # The daemon may have hung up first.
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()

    def answer_again(self):
        self.is_away = False

    def answer(self, connection):
        """Answers every command with success; its features are empty."""
        pending = b""
        try:
            while data := connection.recv(4096):
                pending += data
                while len(pending) >= 4 and len(pending) >= 4 + pending[3]:
                    opcode, pending = pending[1:3], pending[4 + pending[3]:]
                    answer = b"\x01" + opcode + b"\x00" + bytes(8 if opcode == b"\x03\x20" else 0)
                    connection.sendall(b"\x04\x0e" + bytes([len(answer)]) + answer)
        except OSError:
            pass
        with contextlib.suppress(ValueError):
            self.connections.remove(connection)

    def send(self, connection):
        """Sends evenly over each second; falls behind if the reader is slow."""
        genuine = [(struct.pack("<HHH", 1, n, 0xC000), UUID + struct.pack(">HH", 1, n), -50 - n % 45)
                   for n in range(self.genuine)]
        step = 0
        next_time = time.monotonic()
        try:
            while not self.is_over:
                packets = []
                for n in self.present:
                    address, identity, level = genuine[n]
                    if (step + n) % (STEPS // self.rate) == 0:
                        packets.append(report(address, identity, level + self.random.randint(-3, 3)))
                forged = self.forged_per_second // STEPS
                noise = os.urandom(26 * forged)
                packets += [report(noise[i:i + 6], noise[i + 6:i + 26], -80) for i in range(0, len(noise), 26)]
                connection.sendall(b"".join(packets))
                self.genuine_sent += len(packets) - forged
                self.forged_sent += forged
                step += 1
                next_time += 1 / STEPS
                time.sleep(max(0, next_time - time.monotonic()))
        except OSError:
            pass

    def close(self):
        self.is_over = True
        self.listener.close()
