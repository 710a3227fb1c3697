#!/usr/bin/env python3
"""Uses the curators' pages in a headless Chromium, as a new user would.

    curator_checks.py CHECK BASE_URL LINK [PICTURES]

LINK is the one-time link of the first account. Exit status 1 and a message where something is not as it should be.
PICTURES is a folder for screenshots.
"""

from __future__ import annotations

import asyncio
import datetime
import json
import pathlib
import sys
import urllib.request
from typing import Any, Awaitable, Callable

try:
    import axe_core_python
except ImportError:
    sys.exit("axe-core-python is not installed: tools/test makes the environment anew from requirements-web.txt")

from devtools import Browser, Failure, Page
from steady import go, press, reload

NAME = "Ana Anić"
PASSWORD = "nine tall giraffes drink"
SIZES = [("desk", 1280, 900), ("phone", 390, 844)]

# The pages besides those where content is made.
PAGES = ["/account", "/accounts", "/tokens", "/site", "/history", "/bin", "/search?q=whale", "/publish", "/revisions",
         "/devices", "/statistics", "/exchange", "/components"]


def check(condition: Any, what: str) -> None:
    if not condition:
        raise Failure(what)


def check_quiet(page: Page, base: str, allowed: tuple[str, ...] = ()) -> None:
    """Nothing was asked of another host, and the console is empty: no error, no violation of the policy."""
    foreign = [url for url in page.requests if not url.startswith((base, "data:", "about:", "blob:"))]
    check(not foreign, f"other hosts were asked: {foreign}")
    # Third-party scripts are there only after tools/web-assets; the pages work without them.
    allowed = (*allowed, f"{base}/vendor/")
    complaints = [each for each in page.complaints if not any(word in each for word in allowed)]
    check(not complaints, f"the console says: {complaints}")


async def check_axe(page: Page, where: str) -> None:
    """The rules of axe-core find nothing."""
    if await page.run("typeof axe === 'undefined'"):
        await page.run((pathlib.Path(axe_core_python.__file__).parent / "axe.min.js").read_text() + "; true")
    found = await page.run("axe.run(document, {resultTypes: ['violations']}).then(all => all.violations.map("
                           "each => [each.id, each.nodes.slice(0, 3).map(node => node.html.slice(0, 160))]))")
    check(not found, f"{where}: {found}")


async def check_still(page: Page, where: str) -> None:
    """Nothing has moved by itself."""
    jumps = await page.jumps()
    check(not jumps, f"{where}: this moved while the page was read: {jumps}")


async def check_looks(page: Page, base: str, where: str, pictures: str, allowed: tuple[str, ...] = ()) -> None:
    """One page as it is now: nothing moved by itself or is wider than the screen, axe finds nothing, a picture is kept."""
    await check_still(page, where)
    await page.run("scrollTo(0, 0)")
    await page.picture(f"{pictures}/curator-{where}.png")
    wide = await page.run("document.documentElement.scrollWidth - innerWidth")
    check(wide <= 0, f"{where}: the page is {wide} px wider than the screen")
    raw = await page.run("document.body.innerText.match(/\\{\\{|\\[\"_\"|\\b(?:t|frame)\\.[a-z_]+\\.[a-z_]+/)?.[0]")
    check(not raw, f"{where}: a text is missing: {raw}")
    await check_axe(page, where)
    check_quiet(page, base, allowed)


async def open_page(page: Page, url: str) -> None:
    """Goes to a page and waits for its scripts."""
    await go(page, url)
    await page.until("it has its heading", "!!document.querySelector('main h1')")


async def fill(page: Page, selector: str, text: str) -> None:
    """Types into a field, in place of what is there."""
    await page.run(f"(() => {{ const field = document.querySelector({json.dumps(selector)}); field.focus(); field.select?.(); }})()")
    await page.write(text)


async def submit(page: Page, selector: str, what: str, until: str) -> None:
    """Presses a button that leads to another page, and waits for it."""
    await page.run("window.isOld = true")
    await press(page, selector)
    await page.until(what, f"!window.isOld && document.readyState === 'complete' && ({until})")


async def sign_in(browser: Browser, base: str, link: str, width: int = 1280, height: int = 900) -> Page:
    """Makes the first account by its link, as a new user would."""
    page = await browser.page(link, width, height)
    await fill(page, "#name", NAME)
    await fill(page, "#password", PASSWORD)
    await submit(page, "main form .primary", "somebody is signed in", "location.pathname === '/beacons'")
    return page


async def looks(browser: Browser, base: str, link: str, pictures: str) -> None:
    """Every page in light and dark, on a desk and on a phone: empty at first, then with something in it."""
    page = await browser.page(link, 390, 844)
    await check_looks(page, base, "link-phone", pictures)
    await fill(page, "#name", NAME)
    await fill(page, "#password", "short")
    await submit(page, "main form .primary", "the password is refused", "!!document.querySelector('.field-error')")
    check(await page.run("document.querySelector('#name').value") == NAME, "the name is lost")
    check(await page.run("document.activeElement.id") == "error-summary", "the mistakes do not get the focus")
    page.complaints.clear()
    await check_looks(page, base, "link-refused-phone", pictures)
    await fill(page, "#password", PASSWORD)
    await submit(page, "main form .primary", "somebody is signed in", "location.pathname === '/beacons'")
    page.complaints.clear()
    await all_pages(browser, page, base, "empty", pictures)
    await furnish(page, base)
    await all_pages(browser, page, base, "full", pictures)
    again = await browser.page(link, 1280, 900)
    check("does not work any more" in await again.run("document.body.innerText"), "the link works twice")
    await check_looks(again, base, "link-spent-desk", pictures, allowed=("410",))


async def all_pages(browser: Browser, page: Page, base: str, state: str, pictures: str) -> None:
    for path in PAGES:
        for size, width, height in SIZES:
            await page.resize(width, height)
            await open_page(page, base + path)
            for dark in [False, True]:
                await page.media(dark=dark, still=True)
                where = f"{path[1:].split('?')[0]}-{state}-{size}-{'dark' if dark else 'light'}"
                await check_looks(page, base, where, pictures)
    await page.media(dark=False, still=True)
    await page.resize(360, 780)
    for path in PAGES:
        await open_page(page, base + path)
        wide = await page.run("document.documentElement.scrollWidth - innerWidth")
        check(wide <= 0, f"{path}: {wide} px wider than a screen of 360 px")
    await page.resize(1280, 900)


async def furnish(page: Page, base: str) -> None:
    """Something for every page, made by its forms; with a name of 200 letters and one in Arabic."""
    await open_page(page, base + "/site")
    await fill(page, "#title", "متحف التاريخ الطبيعي")
    await fill(page, "#languages", "en\nde\nar")
    await submit(page, ".form-foot .primary", "the settings are saved", "location.pathname === '/site' && !document.querySelector('.error-summary')")
    await open_page(page, base + "/beacons")
    await fill(page, "#add #f-name", "W" * 200)
    await submit(page, "#add .primary", "the beacon is saved", "/^\\/beacons\\/./.test(location.pathname)")
    await open_page(page, base + "/accounts")
    await submit(page, "section form .primary", "the invitation is shown", "!!document.querySelector('#link')")
    await make_token(page, base, "report")


async def make_token(page: Page, base: str, *scopes: str) -> str:
    await open_page(page, base + "/tokens")
    await fill(page, "#name", "Devices of the hall")
    await page.run(f"""document.querySelectorAll('[name=scope]').forEach(each => {{
        each.checked = {json.dumps(scopes)}.includes(each.value); }})""")
    await submit(page, "section form .primary", "the token is shown", "!!document.querySelector('#secret')")
    return await page.run("document.querySelector('#secret').value")


FOCUS = """(() => {
    const focus = document.activeElement;
    if (!focus || focus === document.body) return null;
    const style = getComputedStyle(focus);
    const box = focus.getBoundingClientRect();
    return {
        name: (focus.getAttribute('aria-label') ?? focus.innerText ?? '').trim() || focus.name || focus.id,
        isVisible: box.width > 0 && box.height > 0 && box.bottom > 0 && box.top < innerHeight,
        isMarked: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2,
        path: focus.tagName + '#' + focus.id + '.' + focus.className + '@' + Math.round(box.x) + ',' + Math.round(box.y + scrollY),
    };
})()"""


async def keyboard(browser: Browser, base: str, link: str, pictures: str) -> None:
    """Everything by keyboard alone: each stop can be seen and is marked, the skip link skips, menus open and close."""
    page = await sign_in(browser, base, link)
    for path in ["/account", "/site", "/tokens", "/publish", "/history"]:
        await open_page(page, base + path)
        await page.run("document.activeElement.blur(); getSelection().removeAllRanges(); scrollTo(0, 0)")
        stops: list[str] = []
        for _ in range(120):
            await page.press("Tab")
            focus = await page.run(FOCUS)
            if focus is None or focus["path"] in stops:
                break
            stops.append(focus["path"])
            check(focus["isVisible"], f"{path}: the focus is out of sight at {focus}")
            check(focus["isMarked"], f"{path}: the focus is not marked at {focus}")
            check(focus["name"], f"{path}: nothing is said of {focus}")
        wanted = await page.run("""[...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary')]
            .filter(each => each.checkVisibility({visibilityProperty: true}) && !each.disabled && !each.closest('.skip')
                && (each.type !== 'radio' || each.checked)).length""")
        check(len(stops) >= wanted, f"{path}: {len(stops)} stops of {wanted}: {stops}")
    await open_page(page, base + "/site")
    await page.run("document.activeElement.blur(); scrollTo(0, 0)")
    await page.press("Tab")
    await page.picture(f"{pictures}/curator-skip.png")
    await page.press("Enter")
    await page.press("Tab")
    check(await page.run("!!document.activeElement.closest('main')"), "the skip link does not skip")
    await page.run("document.querySelector('.menu summary').focus()")
    await page.press("Enter")
    check(await page.run("document.querySelector('.menu').open"), "the menu does not open")
    await page.press("Escape")
    check(await page.run("!document.querySelector('.menu').open && document.activeElement.matches('.menu summary')"),
          "Escape does not close the menu and keep the focus")
    check_quiet(page, base)


async def typed(browser: Browser, base: str, link: str, pictures: str) -> None:
    """What was typed survives a closed tab, an ended session and another editor."""
    page = await sign_in(browser, base, link)
    await open_page(page, base + "/site")
    await fill(page, "#title", "Not saved yet")
    await page.until("it is kept", "Object.entries(localStorage).some(([key, value]) => key.startsWith('keep:') && value.includes('Not saved yet'))")
    await browser.call("Target.closeTarget", targetId=page.target)

    page = await browser.page(base + "/site", 1280, 900)
    await page.until("what was typed is offered", "!!document.querySelector('form .notice button')")
    check(await page.run("document.querySelector('#title').value") == "", "it was restored without asking")
    await page.picture(f"{pictures}/curator-typed.png")
    await check_axe(page, "with an offer to restore")
    await page.click("form .notice .primary")
    check(await page.run("document.querySelector('#title').value") == "Not saved yet", "it does not come back")

    # The session ends: the form stays, and a dialog says what to do.
    cookies = (await browser.call("Storage.getCookies"))["cookies"]
    await browser.call("Storage.clearCookies")
    await page.run("document.querySelector('.form-foot .primary').click()")
    await page.until("the dialog is there", "!!document.querySelector('dialog[open]')")
    await page.picture(f"{pictures}/curator-expired.png")
    await check_axe(page, "with an ended session")
    await browser.call("Storage.setCookies", cookies=[
        {key: each[key] for key in ["name", "value", "domain", "path", "httpOnly", "sameSite"] if key in each} for each in cookies])
    await submit(page, "dialog[open] .primary", "it is saved", "location.pathname === '/site' && document.querySelector('#title').value === 'Not saved yet'")
    check(await page.run("Object.keys(localStorage).length") == 0, "what was saved is still kept")
    check(await page.run("document.querySelectorAll('form .notice').length") == 0, "what was saved is offered again")

    # Two editors of one thing.
    other = await browser.page(base + "/site", 1280, 900)
    await other.until("the other editor is named", f"document.querySelector('.notice.warn:not([hidden])')?.textContent.includes('another tab')")
    await fill(page, "#title", "Mine")
    await fill(other, "#title", "Theirs")
    await submit(other, ".form-foot .primary", "theirs is saved", "!document.querySelector('.notice.bad')")
    await submit(page, ".form-foot .primary", "the conflict is told", "!!document.querySelector('.notice.bad')")
    check(await page.run("document.querySelector('#title').value") == "Mine", "the work is lost")
    await page.picture(f"{pictures}/curator-conflict.png")
    check("Theirs" in await page.run("document.querySelector('#title-other').innerText"), "what the other one wrote is not shown")
    await check_axe(page, "with a conflict")
    await submit(page, ".form-foot .primary", "mine is saved", "location.search === '' && document.querySelector('#title').value === 'Mine' && !document.querySelector('.notice.bad')")
    # Different fields are merged without a question.
    await open_page(other, base + "/site")
    await fill(page, "#title", "Only mine")
    await fill(other, "#languages", "en\nde")
    await submit(other, ".form-foot .primary", "theirs is saved", "!document.querySelector('.notice.bad')")
    await submit(page, ".form-foot .primary", "both are saved", "document.querySelector('#languages').value.includes('de')")
    check(await page.run("document.querySelector('#title').value") == "Only mine", "mine is lost by merging")


async def scriptless(browser: Browser, base: str, link: str, pictures: str) -> None:
    """Everything works without JavaScript."""
    page = await sign_in(browser, base, link)
    await go(page, base + "/site", scripts=False)
    await page.until("the page is there", "!!document.querySelector('#title')")
    await fill(page, "#title", "Plain")
    await submit(page, ".form-foot .primary", "it is saved", "location.search === '?done=saved' && document.querySelector('#title').value === 'Plain'")
    check("Saved" in await page.run("document.querySelector('#toasts').innerText"), "nothing says that it was saved")
    await go(page, base + "/history", scripts=False)
    await page.until("times are in UTC", "document.querySelector('td time')?.textContent.endsWith('UTC')")
    await go(page, base + "/publish", scripts=False)
    await page.until("the page is there", "!!document.querySelector('.form-foot .primary')")
    await submit(page, ".form-foot .primary", "it is published", "location.pathname === '/revisions' && !!document.querySelector('#revision-1')")
    check_quiet(page, base)


async def invitations(browser: Browser, base: str, link: str, pictures: str) -> None:
    """An open invitation is listed, looks well, and can be withdrawn by keyboard: its link does not work then."""
    page = await sign_in(browser, base, link)
    await open_page(page, base + "/accounts")
    row = "document.querySelector('[aria-labelledby=open-title] tbody tr')"
    check(await page.run(f"!{row}"), "there is an open link before one was made")
    await submit(page, "section form .primary", "the invitation is shown", "!!document.querySelector('#link')")
    invitation = await page.run("document.querySelector('#link').value")
    # It is shown once. A reload makes no other one.
    await reload(page)
    check(await page.run("!document.querySelector('#link')"), "a reload makes another invitation")
    for size, width, height in SIZES:
        await page.resize(width, height)
        await open_page(page, base + "/accounts")
        words = await page.run(f"{row}.innerText")
        check("Invitation (Editor)" in words and NAME in words, f"the list says {words}")
        await check_looks(page, base, f"invitations-{size}", pictures)
    await page.run(f"{row}.querySelector('summary').focus()")
    await page.press("Enter")
    await page.press("Tab")
    await page.run("window.isOld = true")
    await page.press("Enter")
    await page.until("it is withdrawn", f"!window.isOld && document.readyState === 'complete' && !{row}")
    check_quiet(page, base)
    guest = await browser.page(invitation, 390, 844)
    check("does not work any more" in await guest.run("document.body.innerText"), "the link still works")


async def crowd(browser: Browser, base: str, link: str, pictures: str) -> None:
    """Of fifty devices that report, one lags and one falls silent: the page says so by itself."""
    page = await sign_in(browser, base, link)
    for number, name in enumerate(["Blue whale", "الحوت الأزرق"], 1):
        await open_page(page, base + "/beacons/new")
        await fill(page, "#add #f-name", name)
        await fill(page, "#add #f-uuid", "7a0e5f3c-2d81-4b6a-9c47-51e8b3d2f096")
        await fill(page, "#add #f-major", "1")
        await fill(page, "#add #f-minor", str(number))
        await submit(page, "#add .primary", "the beacon is saved", "/^\\/beacons\\/./.test(location.pathname)")
    for title in ["One", "Two"]:
        await open_page(page, base + "/site")
        await fill(page, "#title", title)
        await submit(page, ".form-foot .primary", "it is saved", f"document.querySelector('#title')?.value === {json.dumps(title)}")
        await open_page(page, base + "/publish")
        await submit(page, ".form-foot .primary", "it is published", "location.pathname === '/revisions'")
    token = await make_token(page, base, "report")
    now = datetime.datetime.now(datetime.timezone.utc)

    def report(number: int) -> None:
        seconds = 2 if number == 7 else 300
        body = {
            "format": 1, "host": f"case-{number:02}", "version": "beacond 1.0.0",
            "period_start": (now - datetime.timedelta(seconds=seconds)).isoformat(timespec="seconds").replace("+00:00", "Z"),
            "period_end": now.isoformat(timespec="seconds").replace("+00:00", "Z"),
            "revision": 1 if number == 31 else 2, "complete": True, "missing": 0,
            "problems": ["the clock is not synchronised"] if number == 12 else [], "scanner": "ok",
            "beacons": [{"uuid": "7a0e5f3c-2d81-4b6a-9c47-51e8b3d2f096", "major": 1, "minor": number, "rssi": -61.5,
                         "interval_ms": 102.4}],
            "dwell": [{"uuid": "7a0e5f3c-2d81-4b6a-9c47-51e8b3d2f096", "major": 1, "minor": minor, "revision": revision,
                       "seconds": 40.0 * minor + 10 * revision, "visits": 2} for minor in [1, 2] for revision in [1, 2]],
        }
        request = urllib.request.Request(
            base + "/v1/reports", json.dumps(body).encode(),
            {"Authorization": f"Bearer {token}", "Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            check(answer.status < 300, f"status {answer.status}")

    await open_page(page, base + "/devices")
    for number in range(50):
        await asyncio.to_thread(report, number)
    # Without a reload: the page asks again by itself, within a minute.
    row = "[...document.querySelectorAll('tbody tr')].find(each => each.querySelector('th').innerText.startsWith('{0}'))?.innerText ?? ''"
    await page.until("the lagging one is told", f"/lagging/.test({row.format('case-31')})")
    await page.until("the silent one is told", f"/silent/.test({row.format('case-07')})")
    check("the clock is not synchronised" in await page.run(row.format("case-12")), "the problem is not told")
    words = await page.run("document.querySelector('#live .notice').innerText")
    check("48 of 50 devices" in words, f"the page says: {words}")
    first = await page.run("[...document.querySelectorAll('tbody th')].slice(0, 2).map(each => each.innerText.split('\\n')[0])")
    check(first == ["case-07", "case-31"], f"the first of the list are {first}")
    for size, width, height in SIZES:
        await page.resize(width, height)
        for path in ["/devices", "/statistics", "/revisions"]:
            await open_page(page, base + path)
            for dark in [False, True]:
                await page.media(dark=dark, still=True)
                await check_looks(page, base, f"{path[1:]}-crowd-{size}-{'dark' if dark else 'light'}", pictures)
    await open_page(page, base + "/statistics")
    bars = await page.run("[...document.querySelectorAll('.bars tbody tr')].map(each => each.innerText.replace(/\\s+/g, ' '))")
    check(len(bars) == 4, f"the plot shows {bars}")
    check_quiet(page, base)


CHECKS: dict[str, Callable[[Browser, str, str, str], Awaitable[None]]] = {
    each.__name__: each for each in [looks, keyboard, typed, scriptless, invitations, crowd]
}


async def main(name: str, base: str, link: str, pictures: str) -> None:
    pathlib.Path(pictures).mkdir(parents=True, exist_ok=True)
    async with Browser() as browser:
        await CHECKS[name](browser, base.rstrip("/"), link, pictures)


if __name__ == "__main__":
    try:
        asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4] if len(sys.argv) > 4 else "."))
    except Failure as failure:
        sys.exit(f"{sys.argv[1]}: {failure}")
