#!/usr/bin/env python3
"""watch_beacons.py [NUMBER]: what is near, and how that changes; ends after that many events."""
import asyncio
import sys

from beacond_client.api.default import get_v1_ranging
from beacond_client.events import events
from beacond_client.local import local_client
from beacond_client.models import Refusal


async def main(most):
    client = local_client()  # /run/beacond/control.sock, or $BEACOND_CONTROL_SOCKET
    ranking = await get_v1_ranging.asyncio(client=client)
    if isinstance(ranking, Refusal):
        raise SystemExit(f"{ranking.error}; {ranking.what_to_do}")
    for beacon in ranking.beacons:
        print(f"{beacon.rank}. {beacon.name or beacon.minor}: {beacon.distance_m} m")
    count = 0
    async for event in events(client):
        if event.kind == "nearest":
            beacon = event.data["beacon"]
            print("nearest:", beacon.get("name", beacon["minor"]) if beacon else "none", flush=True)
            count += 1
            if count == most:
                return


asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 0))
