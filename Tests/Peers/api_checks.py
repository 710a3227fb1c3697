#!/usr/bin/env python3
"""api_checks.py ADDRESS NAME PASSWORD [EXAMPLES]: calls the managing API with generated requests.

Signs in as an administrator, makes a token, and lets schemathesis compare every answer with the OpenAPI document: no
server error, no status, media type, header or body that the document does not have, no operation that forgets the
token. Prints what schemathesis says; the exit status is 1 if anything is wrong.
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


def main():
    address, name, password, *rest = sys.argv[1:]
    secret = token(address, name, password)
    command = [
        str(Path(sys.executable).parent / "schemathesis"), "run", f"{address}/api/v1/openapi.json",
        "--header", f"Authorization: Bearer {secret}", "--checks", ",".join(CHECKS), "--max-examples",
        rest[0] if rest else "10", "--phases", "examples,coverage,fuzzing", "--seed", "15", "--no-color",
        "--request-timeout", "60", "--suppress-health-check", "all",
        # These would end the token itself, or the account that has made it.
        "--exclude-operation-id", "delete_tokens_number", "--exclude-operation-id", "delete_accounts_name",
    ]
    sys.exit(subprocess.run(command, check=False).returncode)


main()
