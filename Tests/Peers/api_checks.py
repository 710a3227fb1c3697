#!/usr/bin/env python3
"""Calls an API with generated requests.

  api_checks.py managing ADDRESS NAME PASSWORD [EXAMPLES]   the content server's, as an administrator
  api_checks.py control ADDRESS [EXAMPLES]                  the daemon's or a resolver's

schemathesis compares every answer with the OpenAPI document of the server: no server error, no status, media type,
header or body that the document does not have, no operation that forgets the token. Prints what schemathesis says; the
exit status is 1 if anything is wrong.
"""
import http.cookiejar
import json
import re
import subprocess
import sys
import urllib.parse
import urllib.request
from pathlib import Path

CHECKS = ["not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
          "response_schema_conformance", "unsupported_method", "ignored_auth"]


def token(address, name, password):
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))

    def proof():
        page = opener.open(f"{address}/sign-in").read().decode()
        return re.search(r'name="csrf" value="([^"]+)"', page)[1]

    form = {"csrf": proof(), "name": name, "password": password, "next": "/api"}
    opener.open(f"{address}/sign-in", urllib.parse.urlencode(form).encode()).read()
    wish = {"name": "schemathesis", "scopes": ["read", "edit", "publish", "admin"]}
    request = urllib.request.Request(
        f"{address}/api/v1/tokens", json.dumps(wish).encode(),
        {"Content-Type": "application/json", "X-CSRF-Token": proof()})
    return json.load(opener.open(request))["token"]


def run(document, examples, *options):
    command = [
        str(Path(sys.executable).parent / "schemathesis"), "run", document, "--checks", ",".join(CHECKS),
        "--max-examples", examples, "--phases", "examples,coverage,fuzzing", "--seed", "15", "--no-color",
        "--request-timeout", "60", "--wait-for-schema", "60", "--suppress-health-check", "all", *options,
    ]
    return subprocess.run(command, check=False).returncode


def without(*operations):
    return [word for operation in operations for word in ("--exclude-operation-id", operation)]


def managing(address, name, password, examples="10"):
    secret = token(address, name, password)
    # These would end the token itself, or the account that has made it.
    ending = without("delete_tokens_number", "delete_accounts_name")
    return run(f"{address}/api/v1/openapi.json", examples, "--header", f"Authorization: Bearer {secret}", *ending)


def control(address, examples="10"):
    # Streams have no end. What changes something is refused over TCP, whatever it is.
    return run(f"{address}/v1/openapi.json", examples, *without("get_v1_events", "get_v1_sightings"))


if __name__ == "__main__":
    sys.exit({"managing": managing, "control": control}[sys.argv[1]](*sys.argv[2:]))
