"""A Bluetooth proxy of ESPHome, played with the messages and the encryption of ESPHome's own client (aioesphomeapi).

  esphome_proxy.py PORT [--key BASE64] [--name NAME] [--features N] [--fault FAULT]

Prints what the client says, a JSON object a line, as aioesphomeapi reads it. Sends two iBeacons and other
advertisements ten times a second to a client that has subscribed.

Faults: silent (says nothing after it has accepted), garbage (sends octets that are nothing), huge (a message of 60 MiB),
drop (ends the connection a second after the subscription), stop (its scanner stops after a second), password (wants one),
ping (pings the client, and does not answer its pings).
"""
import argparse
import asyncio
import base64
import json

from aioesphomeapi import api_pb2
from aioesphomeapi._frame_helper.noise_encryption import ESPHOME_NOISE_BACKEND, NOISE_PROTOCOL_NAME
from aioesphomeapi._frame_helper.packets import make_plain_text_packets
from aioesphomeapi.core import MESSAGE_TYPE_TO_PROTO
from google.protobuf.json_format import MessageToDict
from noise.connection import NoiseConnection

NUMBERS = {kind: number for number, kind in MESSAGE_TYPE_TO_PROTO.items()}
UUID = bytes.fromhex("7a0e5f3c22c14b1b9e0d3f5a6b7c8d9e")


class Plain:
    """Frames without encryption."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer

    async def begin(self, _name):
        pass

    async def read(self):
        if (first := (await self.reader.readexactly(1))[0]) != 0:
            # As the firmware answers encryption.
            self.writer.write(b"\0Bad indicator byte")
            raise ValueError(f"the client begins a frame with {first}")
        count, kind = await self.number(), await self.number()
        return kind, await self.reader.readexactly(count)

    async def number(self):
        value = shift = 0
        while True:
            octet = (await self.reader.readexactly(1))[0]
            value |= (octet & 0x7F) << shift
            shift += 7
            if octet < 0x80:
                return value

    def write(self, kind, payload):
        self.writer.write(b"".join(make_plain_text_packets([(kind, payload)])))


class Noise(Plain):
    """Frames with encryption: this is the responder."""

    def __init__(self, reader, writer, key):
        super().__init__(reader, writer)
        self.noise = NoiseConnection.from_name(NOISE_PROTOCOL_NAME, backend=ESPHOME_NOISE_BACKEND)
        self.noise.set_as_responder()
        self.noise.set_psks(base64.b64decode(key))

    async def frame(self):
        header = await self.reader.readexactly(3)
        if header[0] != 1:
            # As the firmware answers what is not encrypted.
            self.put(b"\x01Bad indicator byte")
            raise ValueError(f"the client begins a frame with {header[0]}")
        return await self.reader.readexactly(header[1] << 8 | header[2])

    def put(self, octets):
        self.writer.write(bytes([1, len(octets) >> 8, len(octets) & 0xFF]) + octets)

    async def begin(self, name):
        hello = await self.frame()
        self.noise.set_prologue(b"NoiseAPIInit" + len(hello).to_bytes(2, "big") + hello)
        self.noise.start_handshake()
        self.put(b"\x01" + name.encode() + b"\0" + b"AABBCCDDEEFF\0")
        message = await self.frame()
        try:
            self.noise.read_message(message[1:])
        except Exception:
            self.put(b"\x01Handshake MAC failure")
            raise
        self.put(b"\0" + self.noise.write_message())

    async def read(self):
        message = self.noise.decrypt(await self.frame())
        return message[0] << 8 | message[1], message[4:]

    def write(self, kind, payload):
        self.put(self.noise.encrypt(kind.to_bytes(2, "big") + len(payload).to_bytes(2, "big") + payload))


def beacon(minor):
    return bytes([2, 1, 6, 26, 0xFF, 0x4C, 0, 2, 0x15]) + UUID + bytes([0, 1, 0, minor, 0xC5])


def advertisements():
    payloads = [(beacon(1), -60), (beacon(2), -80), (b"\x02\x01\x06\x03\x03\xaa\xfe", -50), (b"", -40), (b"\xff" * 31, -90)]
    message = api_pb2.BluetoothLERawAdvertisementsResponse()
    for number, (payload, rssi) in enumerate(payloads):
        message.advertisements.add(address=0xAABBCCDDEE00 + number, rssi=rssi, address_type=number % 2, data=payload)
    return message


class Client:
    def __init__(self, frames, options):
        self.frames, self.options = frames, options

    def send(self, message):
        self.frames.write(NUMBERS[type(message)], message.SerializeToString())

    async def serve(self):
        await self.frames.begin(self.options.name)
        if self.options.fault == "silent":
            await asyncio.sleep(3600)
        if self.options.fault == "garbage":
            self.frames.writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        if self.options.fault == "huge":
            self.frames.writer.write(b"\0" + bytes([0x80, 0x80, 0x80, 0x1E, 93]) + bytes(1 << 20))
        sending = None
        try:
            while True:
                kind, payload = await self.frames.read()
                message = MESSAGE_TYPE_TO_PROTO[kind]()
                message.ParseFromString(payload)
                name = type(message).__name__
                print(json.dumps({"message": name, **MessageToDict(message, preserving_proto_field_name=True)}), flush=True)
                if name == "SubscribeBluetoothLEAdvertisementsRequest":
                    sending = asyncio.create_task(self.advertise())
                else:
                    self.answer(name)
        finally:
            if sending:
                sending.cancel()

    def answer(self, name):
        options = self.options
        if name == "HelloRequest":
            self.send(api_pb2.HelloResponse(api_version_major=1, api_version_minor=12, server_info="proxy", name=options.name))
        elif name == "AuthenticationRequest" and options.fault == "password":
            self.send(api_pb2.AuthenticationResponse(invalid_password=True))
        elif name == "DeviceInfoRequest":
            self.send(api_pb2.DeviceInfoResponse(
                name=options.name, mac_address="AA:BB:CC:DD:EE:FF", esphome_version="2026.9.1", model="esp32",
                bluetooth_proxy_feature_flags=options.features, friendly_name="Proxy"))
            if options.fault == "ping":
                self.send(api_pb2.PingRequest())
        elif name == "PingRequest" and options.fault != "ping":
            self.send(api_pb2.PingResponse())

    async def advertise(self):
        for number in range(100_000):
            self.send(advertisements())
            await self.frames.writer.drain()
            await asyncio.sleep(0.1)
            if number == 10 and self.options.fault == "drop":
                self.frames.writer.close()
                return
            if number == 10 and self.options.fault == "stop":
                self.send(api_pb2.BluetoothScannerStateResponse(state=api_pb2.BLUETOOTH_SCANNER_STATE_STOPPED))
                return


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int)
    parser.add_argument("--key")
    parser.add_argument("--name", default="proxy-hall")
    parser.add_argument("--features", type=int, default=0x61)
    parser.add_argument("--fault", default="")
    options = parser.parse_args()

    async def connected(reader, writer):
        frames = Noise(reader, writer, options.key) if options.key else Plain(reader, writer)
        try:
            await Client(frames, options).serve()
        except (asyncio.IncompleteReadError, ConnectionError):
            print(json.dumps({"message": "end"}), flush=True)
        except Exception as error:
            print(json.dumps({"message": "error", "text": f"{type(error).__name__}: {error}"}), flush=True)
        finally:
            writer.close()

    server = await asyncio.start_server(connected, "127.0.0.1", options.port)
    print(json.dumps({"message": "ready"}), flush=True)
    async with server:
        await server.serve_forever()


asyncio.run(main())
