#!/usr/bin/env python3
"""Serves a content site, and takes reports of devices: each is written to a file as one line, with how it was sent.

    report_server.py SITE PORT LINES TOKEN [REFUSALS]

The first REFUSALS reports are answered with 503.
"""

from __future__ import annotations

import functools
import http.server
import json
import pathlib
import sys


class Handler(http.server.SimpleHTTPRequestHandler):
    lines: pathlib.Path
    token: str
    refusals = 0

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        status = 204
        if self.headers.get("Authorization") != f"Bearer {Handler.token}":
            status = 401
        elif Handler.refusals > 0:
            Handler.refusals -= 1
            status = 503
        with Handler.lines.open("a") as file:
            file.write(json.dumps({"path": self.path, "status": status, "report": json.loads(body)}) + "\n")
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


def main(site: str, port: str, lines: str, token: str, refusals: str = "0") -> None:
    Handler.lines = pathlib.Path(lines)
    Handler.token = token
    Handler.refusals = int(refusals)
    handler = functools.partial(Handler, directory=site)
    with http.server.ThreadingHTTPServer(("127.0.0.1", int(port)), handler) as server:
        server.serve_forever()


if __name__ == "__main__":
    main(*sys.argv[1:])
