"""The ten tasks in beacon-content-server, each the shortest way. Every one starts at the list of beacons, signed in.

The same beacons as in Wagtail, all published, each with one picture; one beacon lies in the bin, one has been saved since,
and one device lags.
"""

from __future__ import annotations

from devtools import Page
from hand import Hand


async def sign_in(page: Page, base: str, password: str) -> None:
    await page.visit(f"{base}/sign-in")
    await page.until("the form is there", "!!document.querySelector('#name')")
    await page.run("document.querySelector('#name').value = 'ana'")
    await page.run(f"document.querySelector('#password').value = '{password}'")
    await page.run("document.querySelector('main form').submit()")
    await page.until("the beacons are there", "location.pathname === '/beacons'")


async def saved(hand: Hand) -> None:
    await hand.page.until("it is saved", "document.querySelector('#toasts .toast') !== null", 15)


async def add_beacon(hand: Hand) -> None:
    """The UUID, the major and the next free minor are offered."""
    await hand.click("Add a beacon")
    await hand.type("css:#f-name", "Meteorite")
    await hand.click("css:#add .primary")
    await saved(hand)


async def replace_picture(hand: Hand) -> None:
    """In the library, so everywhere."""
    await hand.click("css:.side a[href='/media']")
    await hand.click("css:.media-cards a:has([dir=auto])")
    await hand.file("#f-replace", hand.picture)
    await saved(hand)


async def schedule(hand: Hand) -> None:
    """It goes away at the end of the year."""
    await hand.click("css:tbody a")
    await hand.click("css:.image-link")
    # Typing into a field for a date depends on the language of the browser.
    await hand.page.run("document.querySelector('#f-valid_until').value = '2027-12-31T18:00'")
    hand.fields += 1
    hand.steps.append("valid until: 2027-12-31 18:00")
    await hand.click("Save")
    await saved(hand)
    await hand.click("css:.side a[href='/publish']")
    await hand.click("css:main form .primary")
    await saved(hand)


async def undo(hand: Hand) -> None:
    await hand.click("css:.side a[href='/history']")
    await hand.click("Undo")
    await saved(hand)


async def restore(hand: Hand) -> None:
    await hand.click("css:.side a[href='/bin']")
    await hand.click("Restore")
    await saved(hand)


async def usage(hand: Hand) -> None:
    await hand.click("css:.side a[href='/media']")
    await hand.click("css:.media-cards a")
    await hand.sees("Where it is used")


async def translate(hand: Hand) -> None:
    """A name in German."""
    await hand.click("css:tbody a")
    await hand.click("German")
    await hand.page.until("the details are open", "!!document.querySelector('#details[open] #f-name')")
    await hand.type("css:#f-name", "Walskelett")
    await hand.click("css:#details .primary")
    await saved(hand)


async def preview(hand: Hand) -> None:
    await hand.click("css:tbody a")
    await hand.click("Preview")
    await hand.click("css:main form .primary")


async def roll_back(hand: Hand) -> None:
    """The whole site."""
    await hand.click("css:.side a[href='/revisions']")
    await hand.click("Roll back")
    await hand.click("css:details[open] button")
    await saved(hand)


async def lagging(hand: Hand) -> None:
    await hand.click("css:.side a[href='/devices']")
    await hand.sees("lag")


TASKS = [add_beacon, replace_picture, schedule, undo, restore, usage, translate, preview, roll_back, lagging]
