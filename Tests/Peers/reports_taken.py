#!/usr/bin/env python3
"""reports_taken.py STATE [ADDRESS NAME PASSWORD]: prints as JSON what a content server knows of its devices.

"reports" are host and start of all reports, "ends" when the newest of each device ended, "seconds" how long visitors
stayed by all of them: read from the database at one moment, in seconds. With an address also "devices", the API's
answer, and "page", the page Devices.
"""
import http.cookiejar
import json
import re
import sqlite3
import sys
import urllib.parse
import urllib.request


def stored(state):
    # The server may hold the database for as long as a busy machine keeps it from running.
    database = sqlite3.connect(f"file:{state}/content.sqlite?mode=ro", uri=True, isolation_level=None, timeout=60)
    database.execute("BEGIN")
    reports = database.execute("SELECT host, period_start / 1e6 FROM report ORDER BY host, period_start").fetchall()
    ends = dict(database.execute("SELECT host, period_end / 1e6 FROM device"))
    seconds, = database.execute("SELECT total(seconds) FROM dwell").fetchone()
    return {"reports": reports, "ends": ends, "seconds": seconds}


def shown(address, name, password):
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
    page = opener.open(f"{address}/sign-in").read().decode()
    form = {"csrf": re.search(r'name="csrf" value="([^"]+)"', page)[1], "name": name, "password": password}
    opener.open(f"{address}/sign-in", urllib.parse.urlencode(form).encode()).read()
    return {"devices": json.load(opener.open(f"{address}/api/v1/devices")),
            "page": opener.open(f"{address}/devices").read().decode()}


state, *visit = sys.argv[1:]
print(json.dumps(stored(state) | (shown(*visit) if visit else {})))
