"""A curator's hand: it clicks and types in a browser as people do, and counts."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from devtools import Failure, Page

# The visible element with this name or text, or that matches this selector; the innermost one, dialogs first.
FIND = """
((wanted, kinds) => {
    const isVisible = (each) => each.getClientRects().length > 0 && getComputedStyle(each).visibility !== "hidden";
    const roots = [...document.querySelectorAll("dialog[open], [role=dialog]")].filter(isVisible).reverse();
    for (const root of [...roots, document]) {
        if (wanted.startsWith("css:")) {
            const found = [...root.querySelectorAll(wanted.slice(4))].find(isVisible);
            if (found) return found;
            continue;
        }
        const names = (each) => [each.getAttribute("aria-label"), each.innerText, each.value, each.title,
            ...[...(each.labels ?? [])].map((label) => label.innerText)]
            .map((text) => (text ?? "").replace(/\\s+/g, " ").trim().toLowerCase());
        const all = [...root.querySelectorAll(kinds)].filter(isVisible);
        const name = wanted.toLowerCase();
        const found = all.find((each) => names(each).includes(name))
            ?? all.find((each) => names(each).some((text) => text.startsWith(name)))
            ?? all.find((each) => names(each).some((text) => text.includes(name)));
        if (found) return found;
    }
    return null;
})
"""
CLICKABLE = "a, button, summary, label, input[type=submit], input[type=button], input[type=checkbox], input[type=radio], [role=button], [role=menuitem], [role=tab], [role=option]"
FIELDS = "input, textarea, select, [contenteditable=true]"


class Hand:
    """Counts clicks (also a choice in a list), and fields (typed into, or filled with a file)."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.clicks = 0
        self.fields = 0
        self.steps: list[str] = []

    async def find(self, wanted: str, kinds: str) -> str:
        """Waits until it is there, and returns a selector for it."""
        await self.page.until(
            f"“{wanted}” is there",
            f"(() => {{ const found = {FIND}({json.dumps(wanted)}, {json.dumps(kinds)}); if (!found) return false;"
            " document.querySelectorAll('[data-hand]').forEach((each) => each.removeAttribute('data-hand'));"
            " found.scrollIntoView({block: 'center'}); found.setAttribute('data-hand', ''); return true; })()", 30)
        return "[data-hand]"

    async def click(self, wanted: str) -> None:
        """Clicks what has this name; what covers it may go away by itself."""
        for attempt in range(20):
            selector = await self.find(wanted, CLICKABLE)
            try:
                await self.page.click(selector)
                break
            except Failure:
                if attempt == 19:
                    raise
                await asyncio.sleep(0.25)
        self.clicks += 1
        self.steps.append(wanted.removeprefix("css:"))
        await self.settled()

    async def type(self, field: str, text: str) -> None:
        """Replaces what is in a field. Going into it is part of typing, and no click."""
        for _ in range(3):
            selector = await self.find(field, FIELDS)
            await self.page.run(f"(() => {{ const field = document.querySelector('{selector}'); field.focus(); field.select?.(); }})()")
            for character in text:
                for kind in ["keyDown", "keyUp"]:
                    await self.page.call("Input.dispatchKeyEvent", type=kind, key=character,
                                         **({"text": character} if kind == "keyDown" else {}))
            # A script that was just loaded may have moved the focus, or replaced the field.
            selector = await self.find(field, FIELDS)
            if await self.page.run(f"(document.querySelector('{selector}').value ?? '{len(text)}') !== ''"):
                break
        # The field is left with the keyboard, so that scripts for keys and changes run.
        await self.page.press("Tab")
        self.fields += 1
        self.steps.append(f"{field.removeprefix('css:')}: {text}")

    async def choose(self, field: str, value: str) -> None:
        """An entry of a list: a click into it and one on the entry."""
        selector = await self.find(field, "select")
        chosen = await self.page.run(f"""(() => {{
            const list = document.querySelector('{selector}');
            const entry = [...list.options].find((each) => each.text.trim().startsWith({json.dumps(value)}) || each.value === {json.dumps(value)});
            if (!entry) return false;
            list.value = entry.value;
            list.dispatchEvent(new Event("input", {{bubbles: true}}));
            list.dispatchEvent(new Event("change", {{bubbles: true}}));
            return true;
        }})()""")
        if not chosen:
            raise Failure(f"{field} has no entry {value}")
        self.clicks += 2
        self.steps.append(f"{field.removeprefix('css:')} = {value}")
        await self.settled()

    async def file(self, field: str, path: str) -> None:
        """A file for a field: it counts as a field; the file dialog of the system is the same everywhere."""
        document = await self.page.call("DOM.getDocument", depth=0)
        node = await self.page.call("DOM.querySelector", nodeId=document["root"]["nodeId"], selector=field)
        await self.page.call("DOM.setFileInputFiles", nodeId=node["nodeId"], files=[path])
        self.fields += 1
        self.steps.append(f"file {path.rsplit('/', 1)[-1]}")
        await self.settled()

    async def sees(self, text: str) -> None:
        await self.page.until(f"the page says {text}", f"document.body.innerText.toLowerCase().includes({json.dumps(text.lower())})", 30)

    async def settled(self) -> None:
        """Until the page has followed: loaded, and still for a moment."""
        await asyncio.sleep(0.3)
        await self.page.until("the page is loaded", "document.readyState === 'complete'", 60)
        await asyncio.sleep(0.4)

    def result(self) -> dict[str, Any]:
        return {"clicks": self.clicks, "fields": self.fields, "steps": self.steps}
