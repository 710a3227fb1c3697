"""The ten tasks in Wagtail, each the shortest way that was found. Every one starts at the dashboard, signed in."""

from __future__ import annotations

from devtools import Page
from hand import Hand


async def sign_in(page: Page, base: str, password: str) -> None:
    # Leaving a form is not part of these tasks.
    await page.call("Page.addScriptToEvaluateOnNewDocument", source="addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), true)")
    await page.visit(f"{base}/admin/login/")
    await page.until("the form is there", "!!document.querySelector('#id_username')")
    await page.run("document.querySelector('#id_username').value = 'ana'")
    await page.run(f"document.querySelector('#id_password').value = '{password}'")
    await page.run("document.querySelector('form').submit()")
    await page.until("the dashboard is there", "location.pathname === '/admin/'")


async def saved(hand: Hand) -> None:
    """Wagtail saves drafts by itself."""
    await hand.page.until("it is saved", "/saved/i.test(document.querySelector('footer, [data-controller~=w-autosave]')?.innerText ?? document.body.innerText)", 15)


async def add_beacon(hand: Hand) -> None:
    await hand.click("css:a[href='/admin/pages/3/']")
    await hand.click("Add child page")
    await hand.type("css:#id_title", "Meteorite")
    await hand.type("css:#id_uuid", "7a0e5f3c-2d81-4b6a-9c47-51e8b3d2f096")
    await hand.type("css:#id_major", "1")
    await hand.type("css:#id_minor", "7")
    # It saves automatically only after the first save.
    await hand.click("Save draft")
    await hand.page.until("it is saved", "/admin\\/pages\\/\\d+\\/edit/.test(location.pathname)")


async def to_beacon(hand: Hand) -> None:
    """From the dashboard to the first beacon's form."""
    await hand.click("css:a[href='/admin/pages/3/']")
    await hand.click("Whale Skeleton")


async def replace_picture(hand: Hand) -> None:
    """In the library, so everywhere: shorter than in the page."""
    await hand.click("css:a[href='/admin/images/']")
    await hand.click("Whale Skeleton")
    await hand.file("#id_file", hand.picture)
    await hand.click("Save")
    await hand.sees("updated")


async def schedule(hand: Hand) -> None:
    """It goes away at the end of the year."""
    await to_beacon(hand)
    await hand.click("Toggle status")
    await hand.click("css:[data-a11y-dialog-show='schedule-publishing-dialog']")
    await hand.type("css:[name=expire_at]", "2027-12-31 18:00")
    await hand.page.run("document.querySelectorAll('.xdsoft_datetimepicker').forEach((each) => each.remove())")
    await hand.click("Save schedule")
    await hand.click("css:footer [data-w-dropdown-target=toggle]")
    await hand.click("Publish")
    await hand.sees("published")


async def undo(hand: Hand) -> None:
    """The last saving is taken back: the version before is reviewed, and made the draft."""
    await hand.click("css:a[href='/admin/pages/3/']")
    await hand.click("Star Globe")
    await hand.click("css:a[href='/admin/pages/5/history/']")
    await hand.click("css:tbody tr:nth-of-type(4) [data-w-dropdown-target=toggle]")
    await hand.click("Review this version")
    await hand.click("Replace current draft")
    await hand.page.until("it is saved", "location.pathname === '/admin/pages/5/edit/'")


async def restore(hand: Hand) -> None:
    """Wagtail has no bin: a deleted page is gone."""
    raise NotImplementedError("there is no bin")


async def usage(hand: Hand) -> None:
    await hand.click("css:a[href='/admin/images/']")
    await hand.click("Whale Skeleton")
    await hand.click("Used ")
    await hand.sees("Beacon")


async def translate(hand: Hand) -> None:
    """A name in German."""
    await to_beacon(hand)
    await hand.click("css:header [data-w-dropdown-target=toggle]")
    await hand.click("Translate")
    await hand.click("German")
    await hand.click("Submit")
    await hand.type("css:#id_title", "Walskelett")
    await hand.click("Save draft")


async def preview(hand: Hand) -> None:
    await to_beacon(hand)
    await hand.click("Toggle preview")


async def roll_back(hand: Hand) -> None:
    """One page only: there are no revisions of a whole site."""
    await hand.click("css:a[href='/admin/pages/3/']")
    await hand.click("Steam Engine")
    await hand.click("css:a[href='/admin/pages/6/history/']")
    await hand.click("css:tbody tr:nth-of-type(4) [data-w-dropdown-target=toggle]")
    await hand.click("Review this version")
    await hand.click("css:footer [data-w-dropdown-target=toggle]")
    await hand.click("Publish this version")
    await hand.sees("published")


async def lagging(hand: Hand) -> None:
    """Wagtail knows no devices."""
    raise NotImplementedError("there are no devices")


TASKS = [add_beacon, replace_picture, schedule, undo, restore, usage, translate, preview, roll_back, lagging]
