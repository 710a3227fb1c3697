"""Uses a page as people do: when it is there and stands still. A busy machine is slow between any two steps.

Without scripts a page has no timers and no frames either: it is watched from here.
"""

from __future__ import annotations

import asyncio
import json

from devtools import Failure, Page

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

FRAMES = "new Promise(done => { requestAnimationFrame(() => requestAnimationFrame(done)); setTimeout(done, 500); })"


async def press(page: Page, selector: str, limit: float = 60, *, scrolls: bool = True) -> None:
    """A click in the middle of an element that stands still, with nothing on it."""
    wanted = json.dumps(selector)
    await page.until(f"{selector} is there", f"!!document.querySelector({wanted})", limit)
    end = asyncio.get_running_loop().time() + limit
    before = None
    while True:
        if scrolls:
            await page.run(f"document.querySelector({wanted})?.scrollIntoView({{block: 'center', behavior: 'instant'}})")
        place = await page.run(f"{PLACE}({wanted})")
        if place and place == before:
            break
        if asyncio.get_running_loop().time() > end:
            raise Failure(f"{selector} is covered, or does not stand still: {before}, {place}")
        before = place
        await asyncio.sleep(0.1)
    for kind in ["mousePressed", "mouseReleased"]:
        await page.call(
            "Input.dispatchMouseEvent", type=kind, x=place[1], y=place[2], button="left", clickCount=1)


async def go(page: Page, url: str, *, scripts: bool = True) -> None:
    """To another page, with or without JavaScript. The page before may answer for a moment longer."""
    await page.run("window.isOld = true")
    await page.visit(url, scripts=scripts)
    await page.until("the page is there", "!window.isOld && document.readyState === 'complete'")


async def reload(page: Page) -> None:
    """The same page anew, with its scripts."""
    await page.run("window.isOld = true")
    await page.call("Page.reload")
    await page.until("the page is there", "!window.isOld && document.readyState === 'complete'")


async def resize(page: Page, width: int, height: int) -> None:
    """Another size of the window, for which the page has been drawn: what watches sizes has seen it."""
    await page.resize(width, height)
    await page.until(f"the window is {width} px wide", f"document.documentElement.clientWidth === {width}")
    await page.run(FRAMES)


async def settle(page: Page) -> None:
    """Pictures are there, and what follows them is drawn; the page is in front: behind another one, it can only be
    photographed while something in it moves."""
    await page.call("Page.bringToFront")
    await page.until("pictures are there", "[...document.images].every(each => each.complete || each.loading === 'lazy')")
    await page.run(FRAMES)
