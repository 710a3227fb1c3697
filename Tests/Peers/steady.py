"""Uses a page as people do: when it is there and stands still. A busy machine is slow between any two steps.

Without scripts a page has no timers and no frames either: it is watched from here.
"""

from __future__ import annotations

from devtools import LONGEST, Page

FRAMES = "new Promise(done => { requestAnimationFrame(() => requestAnimationFrame(done)); setTimeout(done, 500); })"


async def press(page: Page, selector: str, limit: float = LONGEST, *, scrolls: bool = True) -> None:
    """A click in the middle of an element, which is scrolled to."""
    await page.click(selector, limit, scrolls=scrolls)


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


async def forget_jumps(page: Page) -> None:
    """What has moved until now was moved by a hand, and counts no more. Browsers do not count what they draw within half
    a second of a press. A busy machine draws it later."""
    await page.run(f"{FRAMES}.then(() => new Promise(drawn => setTimeout(drawn, 50))).then(() => {{ jumps.length = 0; }})")


async def settle(page: Page) -> None:
    """Pictures are there, and what follows them is drawn; the page is in front: behind another one, it can only be
    photographed while something in it moves."""
    await page.call("Page.bringToFront")
    await page.until("pictures are there", "[...document.images].every(each => each.complete || each.loading === 'lazy')")
    await page.run(FRAMES)
