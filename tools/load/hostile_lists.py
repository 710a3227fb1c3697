"""A hostile content site: each list is new, as large as is accepted, and names 65,536 files."""
import hashlib
import http.server
import json
import threading

#: The greatest accepted number of names.
NAMES = 65_536
LARGEST = 16 * 1024 * 1024
MANIFEST = json.dumps({"format": 1, "beacon": None, "images": []}).encode()
HASH = hashlib.sha256(MANIFEST).hexdigest()
UUID = "7a0e5f3c-2d81-4b6a-9c47-51e8b3d2f097"
#: Placeholder for the revision, which each list that is sent replaces by its own.
REVISION = "1000000"


def names():
    """Beacons that all have new names."""
    return encoded(beacons=[entry(n, f"{REVISION} {n} {'n' * 50}") for n in range(NAMES)])


def entry(number, name):
    return {"uuid": UUID, "major": number >> 16, "minor": number & 0xFFFF, "name": name, "manifest": f"m/{number}.json",
            "sha256": HASH}


def too_many():
    """As many beacons as fit: more than are accepted."""
    return encoded(beacons=[entry(n, "n") for n in range(88_000)])


def one_name():
    """One beacon whose name fills the list."""
    return encoded(beacons=[entry(1, "n" * (LARGEST - 400))])


def values():
    """As many values as fit."""
    return encoded(beacons=[], more=[0] * ((LARGEST - 400) // 2))


def encoded(**document):
    document = {"format": 1, "revision": int(REVISION), "uncategorized": None, **document}
    body = json.dumps(document, separators=(",", ":")).encode()
    assert len(body) <= LARGEST, len(body)
    return body


class Site:
    """Serves until it is closed. Each request for the list gets another list with a higher revision."""

    def __init__(self):
        self.bodies = [names(), too_many(), values(), one_name()]
        self.lists = 0
        self.requests = 0
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1

            def do_GET(self):
                site.requests += 1
                body = MANIFEST if self.path.endswith(".json") else None
                if self.path == "/v1/site.json":
                    body = site.next_list()
                try:
                    self.send_response(404 if body is None else 200)
                    self.send_header("Content-Length", str(len(body or b"")))
                    self.end_headers()
                    self.wfile.write(body or b"")
                except OSError:
                    self.close_connection = True

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def next_list(self):
        self.lists += 1
        return self.bodies[(self.lists - 1) % len(self.bodies)].replace(
            REVISION.encode(), str(int(REVISION) + self.lists).encode())

    def close(self):
        self.server.shutdown()
