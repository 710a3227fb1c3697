"""A headless Chromium, driven by its DevTools protocol (chromedevtools.github.io/devtools-protocol)."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import ctypes
import json
import os
import pathlib
import shutil
import signal
import tempfile
from typing import Any

import websockets

PROGRAM = os.environ.get("CHROMIUM", "/usr/bin/chromium")

# Seconds: for how long anything is waited for. Longer than a busy machine keeps a browser or a server from running.
LONGEST = 120

# What the browser says of a script in a page that has just made room for the next one.
GONE = ["navigated or closed", "default execution context", "context was destroyed", "Promise was collected"]


class Failure(Exception):
    """What was waited for did not come, or a script threw."""


def end_with_parent() -> None:
    """A check that takes too long is killed, and cannot end its browser. PR_SET_PDEATHSIG of prctl(2)."""
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)


# Counts what moves in a page without having been asked to. What shows the present may move.
JUMPS = """
if (window === top) {
    const isLive = ({ node }) => !node?.isConnected || (node.closest ? node : node.parentElement)?.closest("[data-refresh]");
    window.jumps = [];
    new PerformanceObserver((list) => {
        for (const each of list.getEntries()) {
            if (each.hadRecentInput || each.sources.some(isLive)) continue;
            jumps.push([each.value, each.sources.map(({ node }) => (node?.outerHTML ?? node?.data ?? "").slice(0, 90))]);
        }
    }).observe({ type: "layout-shift", buffered: true });
}
"""

# Where an element is, as a text that can be compared, and its middle; null while it, or a picture that may still move
# it, is not there yet, or while something covers it.
PLACE = """(selector => {
    const element = document.querySelector(selector);
    const box = element?.getBoundingClientRect();
    if (!box?.width || [...document.images].some(each => !each.complete && each.loading !== 'lazy')) return null;
    const middle = [box.x + box.width / 2, box.y + box.height / 2];
    const where = [box.x, box.y, box.width, box.height].join(' ');
    return element.contains(document.elementFromPoint(...middle)) ? [where, ...middle] : null;
})"""


class Browser:
    """One process with a profile of its own, which goes with it."""

    def __init__(self) -> None:
        self.folder = tempfile.mkdtemp(prefix="beacond-browser-")
        self.next_id = 0
        self.waiting: dict[int, asyncio.Future[Any]] = {}
        self.pages: dict[str, Page] = {}

    async def __aenter__(self) -> Browser:
        self.process = await asyncio.create_subprocess_exec(
            PROGRAM,
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--disable-extensions", "--disable-background-networking", "--disable-component-update",
            "--disable-sync", "--mute-audio", "--hide-scrollbars", "--remote-debugging-port=0",
            f"--user-data-dir={self.folder}", "about:blank",
            stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL, preexec_fn=end_with_parent,
            start_new_session=True, env={**os.environ, "TMPDIR": self.folder},
        )
        port_file = pathlib.Path(self.folder) / "DevToolsActivePort"
        for _ in range(LONGEST * 10):
            lines = port_file.read_text().split() if port_file.exists() else []
            if len(lines) == 2:
                break
            if self.process.returncode is not None:
                raise Failure(f"{PROGRAM} ended with {self.process.returncode} at once")
            await asyncio.sleep(0.1)
        else:
            raise Failure(f"{PROGRAM} does not open its debugging port within {LONGEST} s")
        # Without pings: a busy browser may answer late, and each call has a limit of its own.
        self.socket = await websockets.connect(
            f"ws://127.0.0.1:{lines[0]}{lines[1]}", max_size=None, open_timeout=LONGEST, ping_interval=None)
        self.reader = asyncio.create_task(self.read())
        return self

    async def __aexit__(self, *_: object) -> None:
        self.reader.cancel()
        await self.socket.close()
        if self.process.returncode is None:
            self.process.terminate()
        try:
            await asyncio.wait_for(self.process.wait(), 10)
        except TimeoutError:
            self.process.kill()
            await self.process.wait()
        # Its helpers would end a little later, and still write.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        for _ in range(50):
            shutil.rmtree(self.folder, ignore_errors=True)
            if not os.path.exists(self.folder):
                break
            await asyncio.sleep(0.1)

    async def read(self) -> None:
        async for text in self.socket:
            message = json.loads(text)
            if future := self.waiting.pop(message.get("id", 0), None):
                if not future.done():
                    future.set_result(message)
            elif page := self.pages.get(message.get("sessionId", "")):
                page.note(message["method"], message["params"])

    async def call(self, method: str, session: str | None = None, **parameters: Any) -> Any:
        self.next_id += 1
        number = self.next_id
        future = asyncio.get_running_loop().create_future()
        self.waiting[number] = future
        message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        await self.socket.send(json.dumps(message))
        try:
            answer = await asyncio.wait_for(future, LONGEST)
        except TimeoutError:
            raise Failure(f"{method}: no answer within {LONGEST} s") from None
        if "error" in answer:
            raise Failure(f"{method}: {answer['error']['message']}")
        return answer["result"]

    async def page(self, url: str, width: int, height: int, *, dark: bool = False, still: bool = True) -> Page:
        """Opens a page in a window of this size."""
        target = (await self.call("Target.createTarget", url="about:blank"))["targetId"]
        session = (await self.call("Target.attachToTarget", targetId=target, flatten=True))["sessionId"]
        page = Page(self, session, target)
        self.pages[session] = page
        for domain in ["Page", "Runtime", "Network", "Log", "Accessibility"]:
            await page.call(f"{domain}.enable")
        await page.call("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=True, flatten=True)
        # A page behind another one is used as well.
        await page.call("Emulation.setFocusEmulationEnabled", enabled=True)
        await page.call("Page.addScriptToEvaluateOnNewDocument", source=JUMPS)
        await page.resize(width, height)
        await page.media(dark=dark, still=still)
        await page.call("Page.navigate", url=url)
        await page.until("the page is loaded", "location.href !== 'about:blank' && document.readyState === 'complete'")
        return page

    async def adopt(self, session: str) -> None:
        """A frame with a process of its own: what happens in it is its page's as well."""
        for method in ["Runtime.enable", "Network.enable", "Log.enable", "Runtime.runIfWaitingForDebugger"]:
            try:
                await self.call(method, session)
            except Failure:
                # It has gone already.
                return


class Page:
    """A tab with its frames. Collects what it complains about, and every address that it asks for."""

    def __init__(self, browser: Browser, session: str, target: str) -> None:
        self.browser = browser
        self.session = session
        self.target = target
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.frames: list[str] = []
        """Sessions of frames with a process of their own."""
        self.adoptions: set[asyncio.Task[None]] = set()

    def note(self, method: str, parameters: dict[str, Any]) -> None:
        if method == "Target.attachedToTarget":
            child = parameters["sessionId"]
            self.frames.append(child)
            self.browser.pages[child] = self
            task = asyncio.create_task(self.browser.adopt(child))
            self.adoptions.add(task)
            task.add_done_callback(self.adoptions.discard)
        elif method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            entry = parameters["entry"]
            self.complaints.append(f"{entry['text']} {entry.get('url', '')}")
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])

    async def visit(self, url: str, *, scripts: bool = True) -> None:
        """Goes to an address, with or without JavaScript."""
        await self.call("Emulation.setScriptExecutionDisabled", value=not scripts)
        await self.call("Page.navigate", url=url)
        await self.until("the page is loaded", "document.readyState === 'complete'")

    async def call(self, method: str, **parameters: Any) -> Any:
        return await self.browser.call(method, self.session, **parameters)

    async def resize(self, width: int, height: int) -> None:
        await self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=width < 600,
        )

    async def media(self, *, dark: bool, still: bool) -> None:
        features = [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if still else "no-preference"},
        ]
        await self.call("Emulation.setEmulatedMedia", features=features)

    async def run(self, script: str, frame: str | None = None) -> Any:
        """The value of an expression; promises are awaited. A frame is named by its session."""
        answer = await self.browser.call(
            "Runtime.evaluate", frame or self.session, expression=script, awaitPromise=True, returnByValue=True)
        if details := answer.get("exceptionDetails"):
            raise Failure(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    async def until(self, what: str, script: str, limit: float = LONGEST) -> Any:
        """Waits until an expression is truthy, and returns it."""
        end = asyncio.get_running_loop().time() + limit
        while True:
            try:
                value = await self.run(script)
            except Failure as failure:
                # The page that was asked has just made room for the next one.
                if not any(each in str(failure) for each in GONE):
                    raise
                value = None
            if value:
                return value
            if asyncio.get_running_loop().time() > end:
                text = await self.run("document.body?.innerText ?? ''")
                raise Failure(f"waited {limit:.0f} s until {what}; the console: {self.complaints}; the page:\n{text[:2000]}")
            await asyncio.sleep(0.1)

    async def picture(self, path: str, *, whole: bool = False) -> None:
        """A screenshot as PNG, of the window or of the whole page. A page behind another one may not be drawn."""
        await self.call("Page.bringToFront")
        end = asyncio.get_running_loop().time() + LONGEST
        while True:
            try:
                answer = await self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
                break
            except Failure:
                # For a moment after a page has come there is nothing to draw.
                if asyncio.get_running_loop().time() > end:
                    raise
                await asyncio.sleep(0.25)
        pathlib.Path(path).write_bytes(base64.b64decode(answer["data"]))

    async def jumps(self, most: float = 0.02) -> list[str]:
        """What moved under the user's eyes since the page was opened, if it was more than this share of the window.

        It is counted as browsers do (Layout Instability): the share of the window that moved, times how far it moved.
        What follows a press or a key within half a second does not count."""
        found = await self.run("window.jumps ?? []")
        return [f"{share:.3f}: {' '.join(what)}" for share, what in found] if sum(share for share, _ in found) > most else []

    async def accessibility(self) -> list[dict[str, Any]]:
        """What assistive technology sees: role, name and properties of each node that is not ignored."""
        nodes = (await self.call("Accessibility.getFullAXTree"))["nodes"]
        return [
            {
                "role": node.get("role", {}).get("value", ""),
                "name": node.get("name", {}).get("value", ""),
                "properties": {each["name"]: each["value"].get("value") for each in node.get("properties", [])},
            }
            for node in nodes
            if not node.get("ignored")
        ]

    async def click(self, selector: str, limit: float = LONGEST, *, scrolls: bool = False) -> None:
        """A click with the mouse in the middle of an element that stands still, with nothing on it, as people do."""
        wanted = json.dumps(selector)
        await self.until(f"{selector} is there", f"!!document.querySelector({wanted})", limit)
        end = asyncio.get_running_loop().time() + limit
        before = None
        while True:
            if scrolls:
                into = "scrollIntoView({block: 'center', behavior: 'instant'})"
                await self.run(f"document.querySelector({wanted})?.{into}")
            place = await self.run(f"{PLACE}({wanted})")
            if place and place == before:
                break
            if asyncio.get_running_loop().time() > end:
                raise Failure(f"{selector} is covered, or does not stand still: {before}, {place}")
            before = place
            await asyncio.sleep(0.1)
        for kind in ["mousePressed", "mouseReleased"]:
            await self.call(
                "Input.dispatchMouseEvent", type=kind, x=place[1], y=place[2], button="left", clickCount=1)

    async def write(self, text: str) -> None:
        """Types into what has the focus."""
        await self.call("Input.insertText", text=text)

    async def press(self, key: str) -> None:
        for kind in ["keyDown", "keyUp"]:
            code = {"Tab": 9, "Enter": 13, "Escape": 27, "ArrowRight": 39, "ArrowLeft": 37}.get(key, 0)
            await self.call(
                "Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code,
                **({"text": "\r"} if key == "Enter" and kind == "keyDown" else {}),
            )
