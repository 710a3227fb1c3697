#!/usr/bin/env python3
"""Makes content on the curators' pages in a headless Chromium, as a new user would.

    content_checks.py CHECK BASE_URL LINK PICTURES

As curator_checks.py, for the pages on which content is made. The last line that is printed is JSON with what was made.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import pathlib
import re
import struct
import sys
import tempfile
import zlib
from typing import Any, AsyncIterator, Awaitable, Callable

import curator_checks
from curator_checks import SIZES, check, check_axe, check_looks, check_quiet, check_still, fill, open_page, submit
from devtools import LONGEST, Browser, Failure, Page
from steady import forget_jumps, go, press, resize, settle

# The page says for eight seconds that something was done. A busy machine may look later.
NOTE_WORDS = """new MutationObserver(() => {
    if (document.querySelector('#toasts .toast')) window.hasSaid = true;
}).observe(document, {childList: true, subtree: true})"""
SAID = "window.hasSaid === true"

UUID = "7A0E5F3C-2D81-4B6A-9C47-51E8B3D2F096"


def picture(folder: str, name: str, width: int, height: int, colour: int) -> str:
    """A PNG with a gradient in it."""
    rows = b"".join(
        b"\0" + bytes(octet for x in range(width) for octet in ((colour + x) % 256, (3 * colour + y) % 256, 99))
        for y in range(height))

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    path = f"{folder}/{name}.png"
    pathlib.Path(path).write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
    return path


async def choose_files(page: Page, selector: str, paths: list[str]) -> None:
    """What a dialog of the system for files would give."""
    for attempt in range(20):
        await page.until(f"{selector} is there", f"!!document.querySelector({json.dumps(selector)})")
        document = await page.call("DOM.getDocument", depth=0)
        try:
            node = await page.call("DOM.querySelector", nodeId=document["root"]["nodeId"], selector=selector)
            await page.call("DOM.setFileInputFiles", nodeId=node["nodeId"], files=paths)
            return
        except Failure as failure:
            # The page that was asked has just made room for the next one.
            if "Could not find node" not in str(failure) or attempt == 19:
                raise
            await asyncio.sleep(0.25)


async def pick(page: Page, selector: str, value: str) -> None:
    """An entry of a select."""
    await page.run(f"""(() => {{
        const list = document.querySelector({json.dumps(selector)});
        list.value = {json.dumps(value)};
        for (const kind of ["input", "change"]) list.dispatchEvent(new Event(kind, {{bubbles: true}}));
    }})()""")


async def sign_in(browser: Browser, base: str, link: str) -> Page:
    """Makes the first account. All that the pages say from now on is noted."""
    page = await curator_checks.sign_in(browser, base, link)
    await note_words(page)
    return page


async def note_words(page: Page) -> None:
    """All that the next pages of this tab say is noted."""
    await page.call("Page.addScriptToEvaluateOnNewDocument", source=NOTE_WORDS)


async def choose_kind(page: Page, kind: str) -> None:
    """Some fields follow the kind: what counts is what is chosen then."""
    radio = f"dialog[open] [name=kind][value={kind}]"
    for _ in range(20):
        await press(page, radio)
        if await page.run(f"document.querySelector('{radio}').checked"):
            return
        await asyncio.sleep(0.25)
    raise Failure(f"{kind} cannot be chosen")


async def new_beacon(page: Page, base: str, name: str, minor: int) -> str:
    await open_page(page, base + "/beacons/new")
    await fill(page, "#f-name", name)
    await fill(page, "#f-uuid", f"{UUID}/1/{minor}")
    await submit(page, "#add .primary", "the beacon is there", r"/^\/beacons\/[a-z0-9]{10,}/.test(location.pathname)")
    return await page.run("location.pathname")


async def new_image(page: Page, path: str) -> str:
    """On a beacon's page: one picture becomes an image."""
    await page.run("window.isOld = true")
    await choose_files(page, "#image-files", [path])
    await page.until("the image is there", "!window.isOld && location.pathname.startsWith('/images/') && document.readyState === 'complete'")
    return await page.run("location.pathname")


async def open_side(page: Page, side: str, kind: str) -> None:
    """The dialog for a new content."""
    kinds = ["image", "gallery", "video", "map"]
    await press(page, f"#side-{side} .side-add li:nth-child({kinds.index(kind) + 1}) a")
    await page.until("the dialog is open", "!!document.querySelector('dialog[open] .content-form')")
    chosen = await page.run("document.querySelector('dialog[open] [name=kind]:checked').value")
    check(chosen == kind, f"the dialog is for {chosen}, not {kind}")


async def save_side(page: Page, side: str) -> None:
    await submit(page, "dialog[open] .form-foot .primary", f"{side} is saved", f"!!document.querySelector('#side-{side}.is-filled')")
    await page.until("the focus is where it was", f"document.activeElement?.closest('.side-cell')?.id === 'side-{side}'")


async def add_pictures(page: Page, paths: list[str], alts: list[str]) -> None:
    await choose_files(page, "dialog[open] [name='upload.pictures']", paths)
    await page.until("the pictures are there", f"document.querySelectorAll('dialog[open] [data-row]').length === {len(paths)}")
    for row, alt in enumerate(alts):
        await fill(page, f"dialog[open] [name='pictures.{row}.alt']", alt)


async def action(page: Page, kind: str, value: str, name: str) -> None:
    await pick(page, "dialog[open] [name='action.kind']", kind)
    await fill(page, "dialog[open] [name='action.value']", value)
    await fill(page, "dialog[open] [name='action.name']", name)


async def four_sides(page: Page, folder: str, look: Callable[[str], Awaitable[None]]) -> None:
    """A content of each kind on the four sides of the image that is open, all but the video and the gallery with actions."""
    await open_side(page, "right", "image")
    await add_pictures(page, [picture(folder, "skeleton", 400, 500, 160)], ["The bones of a whale"])
    await fill(page, "dialog[open] [name=label]", "The skeleton")
    await action(page, "open_url", "https://example.org/whale", "Read more")
    await page.until("a preview is drawn", "!!document.querySelector('dialog[open] .preview-box img') && document.querySelector('.preview-box').innerText.includes('Read more')")
    await look("content-image")
    await save_side(page, "right")

    await open_side(page, "bottom", "gallery")
    files = [picture(folder, name, 300, 220, colour) for name, colour in [("one", 10), ("two", 90), ("three", 200)]]
    await choose_files(page, "dialog[open] [name='upload.pictures']", files)
    await page.until("three pictures are there", "document.querySelectorAll('dialog[open] [data-row]').length === 3")
    await press(page, "dialog[open] [data-row]:nth-child(3) button[value^=up]")
    check(await page.run("document.querySelector('dialog[open] [data-row]:nth-child(2) [data-name]').innerText.startsWith('three')"), "the button does not move the picture")
    for row in range(2):
        await fill(page, f"dialog[open] [name='pictures.{row}.alt']", f"Picture {row + 1}")
    await press(page, "dialog[open] [data-row]:nth-child(3) input[type=checkbox]")
    await look("content-gallery")
    await save_side(page, "bottom")

    await open_side(page, "left", "video")
    await fill(page, "dialog[open] [name=video_url]", "https://example.org/whale.mp4")
    await look("content-video")
    await save_side(page, "left")

    await open_side(page, "top", "map")
    await fill(page, "dialog[open] [name=coordinates]", "48.2082, 16.3738")
    await action(page, "navigate", "48.2082, 16.3738", "The way")
    await page.until("the place is drawn", "!!document.querySelector('dialog[open] .preview-map')")
    await look("content-map")
    await save_side(page, "top")


async def write_heading(page: Page, words: str) -> None:
    """In the page editor, which comes later than the page."""
    await press(page, ".page-area")
    await page.until("the editor has the focus", "!!document.activeElement?.closest('.page-area')")
    await page.write(words)
    await press(page, ".page-tools button:nth-child(4)")
    await page.until("it is a heading", f"document.querySelector('.page-area h2')?.innerText === {json.dumps(words)}")
    await page.until("the form has it", f"document.querySelector('[data-json]').value.includes({json.dumps(words)})")


async def full_page(page: Page, image: str, base: str, has_editor: bool) -> None:
    await open_page(page, f"{base}{image}/page")
    await fill(page, "#f-title", "The blue whale")
    if has_editor:
        await write_heading(page, "It is the largest animal.")
        signs = await page.run("document.querySelector('.page-tools').innerText")
        check(not re.search("[\U0001f000-\U0001faff]", signs), f"the tools need a font with emoji: {signs}")
    else:
        await fill(page, "#f-body", "## It is the largest animal.")
    await submit(page, ".form-foot .primary", "the page is saved", f"location.pathname === '{image}'")


async def content(browser: Browser, base: str, link: str, pictures: str) -> dict[str, Any]:
    """A beacon, an image, contents on all four sides with actions, a gallery of three, a full page; then it is published."""
    page = await sign_in(browser, base, link)
    folder = tempfile.mkdtemp(prefix="content-")

    async def look(name: str) -> None:
        await page.picture(f"{pictures}/curator-{name}.png")

    beacon = await new_beacon(page, base, "Blue whale hall", 7)
    await look("beacon-new")
    image = await new_image(page, picture(folder, "blue_whale", 640, 480, 20))
    check(await page.run("document.querySelector('#f-title').value") == "Blue whale", "the file's words are not the title")
    check(await page.run("document.querySelector('#f-picture_alt').value") == "", "the file's name became the alternative text")
    await fill(page, "#f-picture_alt", "A blue whale under water")
    await fill(page, "#f-width_cm", "120")
    await submit(page, "form[data-document] .form-foot .primary", "the image is saved", SAID)
    await four_sides(page, folder, look)
    await full_page(page, image, base, await page.run("fetch('/vendor/editor/editor.js', {method: 'HEAD'}).then(answer => answer.ok)"))
    await page.picture(f"{pictures}/curator-image-full.png", whole=True)
    page.complaints[:] = [each for each in page.complaints if "/vendor/" not in each]
    check_quiet(page, base)
    await open_page(page, base + "/publish")
    await look("publish-content")
    await submit(page, "main form .primary", "it is published", SAID)
    await open_page(page, base + image)
    check("published" in await page.run("document.querySelector('.page-head').innerText"), "the image does not say that it is published")
    check_quiet(page, base)
    return {"beacon": beacon, "image": image}


async def refused(browser: Browser, base: str, link: str, pictures: str) -> dict[str, Any]:
    """What cannot be is refused beside its field, and nothing else of the form is lost."""
    page = await sign_in(browser, base, link)
    # Leaving a form that is not saved asks a question, which a driver would have to answer.
    await page.call("Page.addScriptToEvaluateOnNewDocument", source="addEventListener('beforeunload', event => event.stopImmediatePropagation(), true)")
    folder = tempfile.mkdtemp(prefix="refused-")
    beacon = await new_beacon(page, base, "Hall", 1)
    image = await new_image(page, picture(folder, "first", 64, 48, 1))

    async def is_refused(field: str, kept: str, value: str) -> None:
        # The answer of this press, not of the one before.
        await page.run("document.querySelector('dialog[open] .content-form').dataset.old = ''")
        await press(page, "dialog[open] .form-foot .primary")
        await page.until(f"{field} is refused", f"!document.querySelector('[data-old]') && !!document.querySelector('dialog[open] [name=\"{field}\"][aria-invalid=true]')")
        check(await page.run("document.activeElement.matches('dialog[open] [aria-invalid=true]')"), f"{field} is refused, and the focus is elsewhere")
        described = await page.run(f"document.querySelector('dialog[open] [name=\"{field}\"]').getAttribute('aria-describedby').split(' ').map(id => document.getElementById(id)?.innerText ?? '').join('')")
        check(described.strip(), f"{field} has no message beside it")
        check(await page.run(f"document.querySelector('dialog[open] [name=\"{kept}\"]').value") == value, f"{kept} is lost when {field} is refused")

    await open_side(page, "top", "map")
    await fill(page, "dialog[open] [name=label]", "Where it lives")
    await fill(page, "dialog[open] [name=coordinates]", "148.2, 16.3")
    await is_refused("coordinates", "label", "Where it lives")
    await page.picture(f"{pictures}/curator-refused-coordinates.png")
    await fill(page, "dialog[open] [name=coordinates]", "48.2, 16.3")
    for kind, value, good in [("call", "twelve", "+43 1 234567"), ("email", "nobody", "info@example.org"), ("open_url", "ftp://x", "https://example.org/")]:
        await pick(page, "dialog[open] [name='action.kind']", kind)
        await fill(page, "dialog[open] [name='action.value']", value)
        await is_refused("action.value", "label", "Where it lives")
        await fill(page, "dialog[open] [name='action.value']", good)
    await choose_kind(page, "video")
    await fill(page, "dialog[open] [name=coordinates]", "")
    await is_refused("action.kind", "label", "Where it lives")
    await page.picture(f"{pictures}/curator-refused-action.png")
    await choose_kind(page, "map")
    await save_side(page, "top")
    # Two contents on one side.
    await open_side(page, "left", "video")
    await fill(page, "dialog[open] [name=label]", "A film")
    await page.run("document.querySelector('dialog[open] [name=side]').closest('details').open = true")
    await pick(page, "dialog[open] [name=side]", "top")
    await is_refused("side", "label", "A film")
    # Files
    cut = pathlib.Path(f"{folder}/cut.jpg")
    whole = await jpeg(page)
    cut.write_bytes(whole[: len(whole) // 2])
    text = pathlib.Path(f"{folder}/text.png")
    text.write_text("this is no picture\n" * 50)
    huge = pathlib.Path(f"{folder}/huge.png")
    data = pathlib.Path(picture(folder, "small", 8, 8, 1)).read_bytes()
    header = b"IHDR" + struct.pack(">IIBBBBB", 60000, 60000, 8, 2, 0, 0, 0)
    huge.write_bytes(data[:12] + header + struct.pack(">I", zlib.crc32(header)) + data[33:])
    heavy = pathlib.Path(f"{folder}/heavy.png")
    heavy.write_bytes(pathlib.Path(picture(folder, "start", 600, 600, 1)).read_bytes() + bytes(100 << 20))
    for file in [cut, text, huge, heavy]:
        await open_page(page, base + image)
        await fill(page, "#f-title", f"Kept with {file.name}")
        await choose_files(page, "#f-picture_media-file", [str(file)])
        await page.until(f"{file.name} is refused", "!!document.querySelector('.media-field .uploads .field-error')")
        check(await page.run("document.querySelector('#f-title').value") == f"Kept with {file.name}", "the title is lost")
    await page.picture(f"{pictures}/curator-refused-file.png")
    # The 26th image
    await open_page(page, base + beacon)
    await page.run("window.isOld = true")
    await choose_files(page, "#image-files", [picture(folder, f"more{each}", 40, 30, each * 9) for each in range(24)])
    await page.until("25 images are there", "!window.isOld && document.readyState === 'complete' && document.querySelectorAll('.image-card').length === 25", 240)
    await page.picture(f"{pictures}/curator-beacon-25.png", whole=True)
    await choose_files(page, "#image-files", [picture(folder, "late", 40, 30, 251)])
    await page.until("the 26th is refused", "!!document.querySelector('.drop .field-error') && /25/.test(document.querySelector('.drop .field-error').innerText)")
    check(await page.run("document.querySelectorAll('.image-card').length") == 25, "there are more than 25")
    return {}


async def back(browser: Browser, base: str, link: str, pictures: str) -> dict[str, Any]:
    """Back leads to the form, also over an answer that refused it; and a file that is refused is seen among others."""
    page = await sign_in(browser, base, link)
    folder = tempfile.mkdtemp(prefix="back-")
    await new_beacon(page, base, "Hall", 1)
    await new_image(page, picture(folder, "first", 64, 48, 1))
    save = "form[data-document] .form-foot .primary"
    await fill(page, "#f-width_cm", "wide")
    await submit(page, save, "the width is refused", "!!document.querySelector('.error-summary')")
    await fill(page, "#f-width_cm", "12")
    await submit(page, save, "it is saved", "!document.querySelector('.error-summary')")
    await page.run("window.isSaved = true; history.back()")
    await page.until("the form is there", "!window.isSaved && document.readyState === 'complete' && document.querySelector('#f-width_cm')?.value === '12'")
    text = pathlib.Path(f"{folder}/text.png")
    text.write_text("this is no picture\n" * 50)
    await open_side(page, "left", "gallery")
    files = [picture(folder, f"good{each}", 40, 30, each * 40) for each in range(5)]
    await choose_files(page, "dialog[open] [name='upload.pictures']", [*files, str(text)])
    await page.until("the others are there", "document.querySelectorAll('dialog[open] [data-row]').length === 5")
    await page.until("the refusal is in sight", """(() => {
        const box = document.querySelector('dialog[open] .uploads .field-error')?.getBoundingClientRect();
        const foot = document.querySelector('dialog[open] .form-foot').getBoundingClientRect();
        return box && box.top > 0 && box.bottom < foot.top;
    })()""")
    await page.picture(f"{pictures}/curator-gallery-refused.png")
    return {}


# Requests that save a content wait until a check lets them go on, or fail.
GATE = """(() => {
    const real = window.fetch;
    window.gate = { sent: 0, isBroken: false };
    window.fetch = async (address, options) => {
        if (options?.method === "POST" && String(address).includes("/contents/")) {
            gate.sent += 1;
            await new Promise(open => { gate.open = open; });
            if (gate.isBroken) throw new TypeError("no network");
        }
        return real(address, options);
    };
})()"""

BUSY = "!!document.querySelector('dialog[open] form[aria-busy]')"


async def sending(browser: Browser, base: str, link: str, pictures: str) -> dict[str, Any]:
    """While a form of a dialog is sent it can be neither changed nor sent again; without an answer it comes back."""
    page = await sign_in(browser, base, link)
    folder = tempfile.mkdtemp(prefix="sending-")
    await new_beacon(page, base, "Hall", 1)
    await new_image(page, picture(folder, "first", 64, 48, 1))
    await page.run(GATE)
    label = "document.querySelector('dialog[open] [name=label]').value"

    await open_side(page, "left", "video")
    await fill(page, "dialog[open] [name=video_url]", "https://example.org/whale.mp4")
    await fill(page, "dialog[open] [name=label]", "A film")
    # Enter and the button in a hurry.
    await page.press("Enter")
    await page.run("document.querySelector('dialog[open] .form-foot .primary').click()")
    await page.until("it is being sent", f"{BUSY} && !!gate.open")
    await page.picture(f"{pictures}/curator-sending.png")
    check(await page.run("document.activeElement.matches('dialog[open]')"), "the focus is lost while it is sent")
    await page.write("lost")
    await page.press("Enter")
    await page.run("document.querySelector('dialog[open] .content-form').requestSubmit()")
    check(await page.run(label) == "A film", "the form can be changed while it is sent")
    check(await page.run("document.getElementById('said').innerText.startsWith('Saving')"), "nothing says that it is sent")
    await page.run("gate.isBroken = true; setTimeout(gate.open)")
    await page.until("the form comes back", f"!{BUSY}")
    check(await page.run("gate.sent") == 1, "it was sent more than once")
    check(await page.run("document.activeElement.name") == "label", f"the focus does not come back: {await page.run('document.activeElement.outerHTML.slice(0, 300)')}")
    check(await page.run(label) == "A film", "what was typed is lost")
    check("cannot be reached" in await page.run("document.getElementById('said').innerText"), "nothing says why")
    await page.run("gate.isBroken = false; window.isOld = true")
    await press(page, "dialog[open] .form-foot .primary")
    await page.until("it is being sent", BUSY)
    await page.until("it waits", "gate.sent === 2")
    await page.run("setTimeout(gate.open)")
    await page.until("it is saved", "!window.isOld && document.readyState === 'complete' && !!document.querySelector('#side-left.is-filled')")

    # Escape while it is sent: what is refused then is offered the next time.
    await page.until("the page is there", "document.readyState === 'complete' && document.documentElement.classList.contains('scripted')")
    await page.run(GATE)
    await open_side(page, "top", "map")
    await fill(page, "dialog[open] [name=label]", "The way")
    await fill(page, "dialog[open] [name=coordinates]", "148, 16")
    await press(page, "dialog[open] .form-foot .primary")
    await page.until("it is being sent", f"{BUSY} && gate.sent === 1")
    await page.press("Escape")
    await page.until("the dialog is closed", "!document.querySelector('dialog[open]')")
    await page.run("setTimeout(gate.open)")
    await page.until("it is said", "/could not be saved/.test(document.getElementById('said')?.innerText)")
    await open_side(page, "top", "map")
    await page.until("what was typed is offered", "!!document.querySelector('dialog[open] form .notice .primary')")
    await press(page, "dialog[open] form .notice .primary")
    check(await page.run(label) == "The way", "what was typed is lost")
    page.complaints[:] = [each for each in page.complaints if "422" not in each]
    check_quiet(page, base)
    return {}


async def wait_kept(page: Page, word: str) -> None:
    """What was typed is in the browser's storage."""
    await page.until(f"{word} is kept", f"Object.values(localStorage).some(each => each.includes({json.dumps(word)}))")


async def kept(browser: Browser, base: str, link: str, pictures: str) -> dict[str, Any]:
    """What is typed in a dialog and in the editor of a full page survives a tab that goes at once."""
    page = await sign_in(browser, base, link)
    folder = tempfile.mkdtemp(prefix="kept-")
    await new_beacon(page, base, "Hall", 1)
    image = await new_image(page, picture(folder, "first", 64, 48, 1))
    await open_side(page, "bottom", "gallery")
    files = [picture(folder, name, 60, 40, colour) for name, colour in [("one", 10), ("two", 90)]]
    await add_pictures(page, files, ["The first", "The second"])
    await press(page, "dialog[open] [data-row]:nth-child(2) button[value^=up]")
    await press(page, "dialog[open] [data-row]:nth-child(2) input[type=checkbox]")
    await fill(page, "dialog[open] [name=label]", "Two whales")
    await wait_kept(page, "Two whales")
    await browser.call("Target.closeTarget", targetId=page.target)

    page = await browser.page(base + image, 1280, 900)
    await note_words(page)
    await open_side(page, "bottom", "map")
    await page.until("it is offered", "!!document.querySelector('dialog[open] form .notice .primary')")
    check(await page.run("document.querySelector('dialog[open] [name=label]').value") == "", "it was restored without asking")
    await page.picture(f"{pictures}/curator-kept-dialog.png")
    await check_axe(page, "with an offer in a dialog")
    await press(page, "dialog[open] form .notice .primary")
    await page.picture(f"{pictures}/curator-kept-restored.png")
    rows = "[...document.querySelectorAll('dialog[open] [data-row]')].map(row => [row.querySelector('[data-name]').innerText, row.querySelector('[name$=alt]').value, row.querySelector('[type=checkbox]').checked])"
    wanted = [["two.png", "The second", False], ["one.png", "The first", True]]
    check(await page.run(rows) == wanted, f"the rows are {await page.run(rows)}")
    check(await page.run("[...document.querySelectorAll('dialog[open] [data-row] img')].every(each => each.src)"), "a picture is missing")
    check(await page.run("document.querySelector('dialog[open] [name=kind]:checked').value") == "gallery", "the kind does not come back")
    await save_side(page, "bottom")
    check(await page.run("Object.keys(localStorage).length") == 0, "what was saved is still kept")
    await press(page, "#side-bottom .side-content")
    await page.until("the dialog is open", "!!document.querySelector('dialog[open] .content-form')")
    check(await page.run(rows) == wanted, f"saved were {await page.run(rows)}")
    check(not await page.run("!!document.querySelector('dialog[open] form .notice')"), "what was saved is offered again")
    # What is thrown away on purpose is not offered again.
    await fill(page, "dialog[open] [name=label]", "Thrown away")
    await wait_kept(page, "Thrown away")
    await page.run("window.confirm = () => true")
    await page.press("Escape")
    await page.until("the dialog is closed", "!document.querySelector('dialog[open]')")
    check(await page.run("Object.keys(localStorage).length") == 0, "what was thrown away is still kept")
    # What the server could not save stays, whatever else is saved then.
    await open_page(page, base + image)
    await fill(page, "#f-title", "Not saved")
    await wait_kept(page, "Not saved")
    await page.run("document.querySelector('form[data-document]').action = '/images/nowhere'")
    await submit(page, "form[data-document] .form-foot .primary", "it is refused", "!!document.querySelector('[role=alert]')")
    await page.until("it is told that it is kept", "document.querySelector('#still-kept')?.hidden === false")
    check(await page.run("document.querySelector('#still-kept a').pathname") == image, "the form is not found again")
    await check_axe(page, "with a refusal of what is kept")
    await new_beacon(page, base, "Other", 2)
    await page.until("its scripts have run", "document.documentElement.classList.contains('scripted')")
    await wait_kept(page, "Not saved")
    await open_page(page, base + image)
    await page.until("it is offered", "!!document.querySelector('form[data-document] .notice .primary')")
    await press(page, "form[data-document] .notice .primary")
    await submit(page, "form[data-document] .form-foot .primary", "it is saved", SAID)
    await page.until("it is kept no more", "Object.keys(localStorage).length === 0")
    page.complaints[:] = [each for each in page.complaints if "404" not in each]
    if not await page.run("fetch('/vendor/editor/editor.js', {method: 'HEAD'}).then(answer => answer.ok)"):
        return {}

    await open_page(page, f"{base}{image}/page")
    await page.until("the editor is there", "!!document.querySelector('.page-area')")
    await fill(page, "#f-title", "The whale")
    await write_heading(page, "It sings.")
    await wait_kept(page, "heading")
    await browser.call("Target.closeTarget", targetId=page.target)
    page = await browser.page(f"{base}{image}/page", 1280, 900)
    await page.until("the editor is there", "!!document.querySelector('.page-area')")
    check(await page.run("document.querySelector('.page-area').innerText.trim()") == "", "it was restored without asking")
    await press(page, "form .notice .primary")
    await page.until("the editor shows it", "document.querySelector('.page-area h2')?.innerText === 'It sings.'")
    await page.picture(f"{pictures}/curator-kept-page.png")
    await submit(page, ".form-foot .primary", "the page is saved", f"location.pathname === '{image}'")
    check(await page.run("Object.keys(localStorage).length") == 0, "the saved page is still kept")
    await open_page(page, f"{base}{image}/page")
    await page.until("the text is saved", "document.querySelector('.page-area h2')?.innerText === 'It sings.'")
    check_quiet(page, base)
    return {}


@contextlib.asynccontextmanager
async def holding(page: Page, pattern: str) -> AsyncIterator[Callable[[], Awaitable[None]]]:
    """What a page asks for at such an address waits until the end. Gives what waits until it is asked for."""
    held: list[str] = []
    note = page.note

    def hold(method: str, parameters: dict[str, Any]) -> None:
        if method == "Fetch.requestPaused":
            held.append(parameters["requestId"])
        else:
            note(method, parameters)

    async def asked() -> None:
        for _ in range(LONGEST * 10):
            if held:
                return
            await asyncio.sleep(0.1)
        raise Failure(f"{pattern} is not asked for")

    page.note = hold  # type: ignore[method-assign]
    await page.call("Fetch.enable", patterns=[{"urlPattern": pattern}])
    try:
        yield asked
    finally:
        page.note = note  # type: ignore[method-assign]
        for request in held:
            await page.call("Fetch.continueRequest", requestId=request)
        await page.call("Fetch.disable")


async def late(browser: Browser, base: str, link: str, pictures: str) -> dict[str, Any]:
    """What is typed before the editor of full pages has come is in the editor then, at the cursor."""
    page = await sign_in(browser, base, link)
    folder = tempfile.mkdtemp(prefix="late-")
    await new_beacon(page, base, "Hall", 1)
    image = await new_image(page, picture(folder, "first", 64, 48, 1))
    if not await page.run("fetch('/vendor/editor/editor.js', {method: 'HEAD'}).then(answer => answer.ok)"):
        return {}
    async with holding(page, "*/vendor/editor/editor.js*") as asked:
        await open_page(page, f"{base}{image}/page")
        await asked()
        await fill(page, "#f-title", "The whale")
        await fill(page, "#f-body", "## It sings")
    await page.until("the editor has the text", "document.querySelector('.page-area h2')?.innerText === 'It sings'")
    await page.until("the editor has the focus", "!!document.activeElement?.closest('.page-area')")
    await page.write(" all night.")
    await page.until("the form has it", "document.querySelector('[data-json]').value.includes('all night')")
    await page.picture(f"{pictures}/curator-late.png")
    await submit(page, ".form-foot .primary", "the page is saved", f"location.pathname === '{image}'")
    await open_page(page, f"{base}{image}/page")
    await page.until("the text is saved", "document.querySelector('.page-area h2')?.innerText === 'It sings all night.'")
    check_quiet(page, base)
    return {}


# Drops files on an element, as from another window.
DROP = """((selector, names) => {
    const files = new DataTransfer();
    for (const name of names) files.items.add(new File(["no picture"], name, {type: "image/png"}));
    const event = new DragEvent("drop", {dataTransfer: files, bubbles: true, cancelable: true});
    document.querySelector(selector).dispatchEvent(event);
    return event.defaultPrevented;
})"""


async def dropped(browser: Browser, base: str, link: str, pictures: str) -> dict[str, Any]:
    """Of files that are brought at once each is used or refused by name, whatever becomes of the others."""
    page = await sign_in(browser, base, link)
    folder = tempfile.mkdtemp(prefix="dropped-")
    beacon = await new_beacon(page, base, "Hall", 1)
    text = pathlib.Path(f"{folder}/text.png")
    text.write_text("this is no picture\n" * 50)
    # The good one leads to another page, which tells of the other.
    for path, field in [(beacon, "#image-files"), ("/media", "#files")]:
        await open_page(page, base + path)
        await choose_files(page, field, [str(text), picture(folder, f"good{len(path)}", 64, 48, len(path))])
        await page.until("the refused one is told", "document.querySelector('#refused-files p')?.innerText.startsWith('text.png')")
        await check_axe(page, f"with a refused file, {path}")
    await page.picture(f"{pictures}/curator-dropped.png")
    await open_page(page, f"{base}/media")
    check(not await page.run("!!document.querySelector('#refused-files')"), "the refused file is told again")
    # Only some have room at the beacon: those are seen at once, and the others are named.
    await open_page(page, f"{base}/site")
    await fill(page, "#maximum_images", "2")
    await submit(page, ".form-foot .primary", "the limit is set", SAID)
    await open_page(page, base + beacon)
    await page.run("window.isOld = true")
    await choose_files(page, "#image-files", [picture(folder, f"crowd{each}", 64, 48, 100 + each) for each in range(3)])
    await page.until("the page is there again", "!window.isOld && document.readyState === 'complete'")
    await page.until("the others are named", "document.querySelector('#refused-files p')?.innerText.startsWith('crowd1.png, crowd2.png: ')")
    check(await page.run("document.querySelectorAll('.image-card').length") == 2, "the new image is not shown")
    await open_page(page, f"{base}/media")
    # Dropped while others are on the way, and beside a place.
    await page.run(f"{DROP}('[data-drop]', ['one.png', 'two.png']); {DROP}('[data-drop]', ['three.png'])")
    await page.until("all three are refused", "document.querySelectorAll('.uploads .field-error').length === 3")
    check(await page.run(f"{DROP}('h1', ['beside.png'])"), "a file beside a place is shown instead of the page")
    # The same file can be chosen again.
    for _ in range(2):
        await page.run("document.querySelector('.uploads').replaceChildren()")
        await choose_files(page, "#files", [str(text)])
        await page.until("it is refused", "!!document.querySelector('.uploads .field-error')")
    # The network goes between the upload and the image that is made of it.
    await open_page(page, base + beacon)
    await page.run(GATE.replace("/contents/", "/images") + "; gate.isBroken = true")
    await choose_files(page, "#image-files", [picture(folder, "late", 64, 48, 77)])
    await page.until("the image is being made", "!!gate.open")
    await page.run("gate.open()")
    await page.until("it is said", "!!document.querySelector('.drop > .field-error')?.innerText")
    return {}


async def answer_instead(page: Page, pattern: str, status: int, words: str) -> None:
    """Requests to an address get a page that refuses them, as the server has it."""
    body = base64.b64encode(f"<!doctype html><main><h1>No</h1><p role='alert'>{words}</p></main>".encode()).decode()
    note = page.note
    answers: set[asyncio.Task[Any]] = set()

    def refuse(method: str, parameters: dict[str, Any]) -> None:
        if method != "Fetch.requestPaused":
            return note(method, parameters)
        headers = [{"name": "Content-Type", "value": "text/html; charset=utf-8"}]
        answers.add(asyncio.create_task(page.call(
            "Fetch.fulfillRequest", requestId=parameters["requestId"], responseCode=status, responseHeaders=headers, body=body)))

    page.note = refuse  # type: ignore[method-assign]
    await page.call("Fetch.enable", patterns=[{"urlPattern": pattern}])


async def answers(browser: Browser, base: str, link: str, pictures: str) -> dict[str, Any]:
    """What the server answers instead of what was asked for is told in its words; dialogs leave nothing behind."""
    page = await sign_in(browser, base, link)
    folder = tempfile.mkdtemp(prefix="answers-")
    await new_beacon(page, base, "Hall", 1)
    image = await new_image(page, picture(folder, "first", 64, 48, 1))
    await page.run("""(() => {
        const add = window.addEventListener;
        window.listened = 0;
        window.addEventListener = function (...all) { window.listened += 1; return add.apply(this, all); };
    })()""")
    for _ in range(2):
        await open_side(page, "left", "video")
        await page.press("Escape")
        await page.until("the dialog is closed", "!document.querySelector('dialog[open]')")
    check(await page.run("window.listened") == 0, "the window listens for dialogs that are closed")

    # Buttons with the same words say of which field they are.
    await open_side(page, "left", "video")
    names = [each["name"] for each in await page.accessibility() if each["role"] == "button"]
    for field in ["Or a video of the library", "Captions (WebVTT)", "Video in sign language"]:
        check(f"{field} Choose from the library" in names, f"no button is named for {field}: {names}")

    # The library after the session has ended.
    await page.run("fetch('/sign-out', {method: 'POST', headers: {'X-CSRF-Token': document.body.dataset.csrf}})")
    await press(page, "dialog[open] [data-media-field=video] .row button")
    await page.until("it is told", "document.getElementById('said')?.innerText.includes('signed out')")
    check(not await page.run("!!document.querySelector('.media-picker')"), "the library's dialog shows something else")
    check(await page.run("!!document.querySelector('dialog[open] .content-form')"), "the form is lost")

    await page.run("window.isOld = true; document.querySelectorAll('form').forEach(form => form.dispatchEvent(new CustomEvent('saved')))")
    await go(page, f"{base}/sign-in?next=/media")
    await fill(page, "#name", curator_checks.NAME)
    await fill(page, "#password", curator_checks.PASSWORD)
    await submit(page, "main form .primary", "somebody is signed in", "location.pathname === '/media'")
    await answer_instead(page, "*/media", 413, "the form is larger than 2048 MiB")
    await choose_files(page, "#files", [picture(folder, "heavy", 64, 48, 3)])
    await page.until("it is refused", "!!document.querySelector('.uploads .field-error')")
    words = await page.run("document.querySelector('.uploads .field-error').innerText")
    check("larger than 2048 MiB" in words, f"the file is refused with other words: {words}")
    await page.call("Fetch.disable")
    return {"image": image}


async def clocks(browser: Browser, base: str, link: str, pictures: str) -> dict[str, Any]:
    """A time in the hour that comes twice stays what it is when something else is saved."""
    page = await sign_in(browser, base, link)
    folder = tempfile.mkdtemp(prefix="clocks-")
    await new_beacon(page, base, "Hall", 1)
    image = await new_image(page, picture(folder, "first", 64, 48, 1))
    await page.call("Emulation.setTimezoneOverride", timezoneId="Europe/Vienna")
    field = "document.querySelector('#f-valid_from').value"
    await go(page, base + image, scripts=False)
    await page.run(f"{field} = '2026-10-25T01:30'")
    await submit(page, "form[data-document] .form-foot .primary", "the time is saved", f"{field} === '2026-10-25T01:30'")
    await open_page(page, base + image)
    check(await page.run(field) == "2026-10-25T02:30", f"the field shows {await page.run(field)}")
    await fill(page, "#f-title", "The sea")
    await submit(page, "form[data-document] .form-foot .primary", "the title is saved", SAID)
    await go(page, base + image, scripts=False)
    check(await page.run(field) == "2026-10-25T01:30", f"the time has become {await page.run(field)}")
    check(await page.run("document.querySelector('#f-title').value") == "The sea", "the title is not saved")
    return {}


async def picture_alt(browser: Browser, base: str, link: str, pictures: str) -> dict[str, Any]:
    """A picture of a full page is decorative if no text is given for it, and not if the question is cancelled."""
    page = await sign_in(browser, base, link)
    folder = tempfile.mkdtemp(prefix="alt-")
    await new_beacon(page, base, "Hall", 1)
    image = await new_image(page, picture(folder, "first", 64, 48, 1))
    if not await page.run("fetch('/vendor/editor/editor.js', {method: 'HEAD'}).then(answer => answer.ok)"):
        return {}
    for answer, isDecorative in [("''", "true"), ("null", "false"), ("'A whale'", "false")]:
        await open_page(page, f"{base}{image}/page")
        await page.until("the editor is there", "!!document.querySelector('.page-area')")
        await page.run(f"window.prompt = () => {answer}")
        await press(page, ".page-tools button:nth-child(10)")
        await press(page, ".media-picker[open] [data-id]")
        await page.until("the picture is there", "document.querySelector('[data-json]').value.includes('picture')")
        json_text = await page.run("document.querySelector('[data-json]').value")
        check(f'"decorative":{isDecorative}' in json_text, f"with {answer} the page is {json_text}")
        await page.run("document.querySelector('form[data-keep]').dispatchEvent(new CustomEvent('saved'))")
    return {}


async def crop(browser: Browser, base: str, link: str, pictures: str) -> dict[str, Any]:
    """A part of a picture by pointer, by keyboard and without JavaScript; where it is used only if somebody says so."""
    page = await sign_in(browser, base, link)
    folder = tempfile.mkdtemp(prefix="crop-")
    await new_beacon(page, base, "Hall", 1)
    image = await new_image(page, picture(folder, "whale", 400, 300, 30))
    whole = await page.run("document.querySelector('#f-picture_media').value")
    place = f"{base}/media/{whole}/crop"
    area = "['left', 'top', 'width', 'height'].map(each => Number(document.getElementById(`f-${each}`).value)).join(' ')"

    await open_page(page, f"{base}/media/{whole}")
    await submit(page, f"a[href='/media/{whole}/crop']", "the page is there", "!!document.querySelector('#crop-form')")
    await page.until("the frame is drawn", "!!document.querySelector('.crop-frame:not([hidden])') && document.querySelector('.crop img').complete")
    await settle(page)
    check(await page.run(area) == "40 30 320 240", f"it begins with {await page.run(area)}")

    async def drag(selector: str, x: float, y: float) -> None:
        """Shares of the picture's width and height."""
        box = await page.run(f"(() => {{ const box = document.querySelector('{selector}').getBoundingClientRect(); const whole = document.querySelector('.crop img').getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2, whole.width, whole.height]; }})()")
        to = [box[0] + x * box[2], box[1] + y * box[3]]
        await page.call("Input.dispatchMouseEvent", type="mousePressed", x=box[0], y=box[1], button="left", clickCount=1)
        await page.call("Input.dispatchMouseEvent", type="mouseMoved", x=to[0], y=to[1], button="left", buttons=1)
        await page.call("Input.dispatchMouseEvent", type="mouseReleased", x=to[0], y=to[1], button="left", clickCount=1)

    await check_still(page, "the frame")
    await drag(".crop-frame", 0.5, 0.05)
    check(await page.run(area) == "80 45 320 240", f"moved to {await page.run(area)}")
    await drag(".crop-handle.se", -0.5, -0.4)
    check(await page.run("document.querySelector('#f-left').value + document.querySelector('#f-top').value") == "8045", "the other corner moves")
    width = await page.run("Number(document.querySelector('#f-width').value)")
    check(100 <= width <= 140, f"the width is {width}")
    await forget_jumps(page)
    for size, wide, high in SIZES:
        await resize(page, wide, high)
        for dark in [False, True]:
            await page.media(dark=dark, still=True)
            await check_looks(page, base, f"crop-{size}-{'dark' if dark else 'light'}", pictures)
    await page.media(dark=False, still=True)
    await resize(page, 1280, 900)

    # By keyboard: what leads out of the picture is refused beside its field.
    await focus(page, "#f-left")
    for value in ["100", "50", "500", "100"]:
        await page.run("document.activeElement.select()")
        await page.write(value)
        await page.press("Tab")
    await page.run("window.isOld = true")
    await page.press("Enter")
    await page.until("it is refused", "!window.isOld && document.readyState === 'complete' && !!document.querySelector('#f-width[aria-invalid=true]')")
    check("300" in await page.run("document.querySelector('#f-width-error').innerText"), "the greatest width is not told")
    check(await page.run(area) == "100 50 500 100", "the numbers are lost")
    await fill(page, "#f-width", "200")
    await submit(page, "#crop-form .primary", "the part is there", f"location.pathname.startsWith('/media/') && !location.pathname.includes('{whole}')")
    check("200 × 100" in await page.run("document.querySelector('.page-head').innerText"), "the part has another size")
    await open_page(page, base + image)
    check(await page.run("document.querySelector('#f-picture_media').value") == whole, "the part is used unasked")

    await go(page, place, scripts=False)
    await fill(page, "#f-left", "0")
    await fill(page, "#f-width", "120")
    await press(page, "[name=replace]")
    await submit(page, "#crop-form .primary", "the part is used", f"location.pathname.startsWith('/media/') && !location.pathname.includes('{whole}')")
    part = await page.run("location.pathname.split('/')[2]")
    await open_page(page, base + image)
    check(await page.run("document.querySelector('#f-picture_media').value") == part, "the part is not used")
    page.complaints[:] = [each for each in page.complaints if "422" not in each]
    check_quiet(page, base)
    return {}


async def plan(browser: Browser, base: str, link: str, pictures: str) -> dict[str, Any]:
    """A plan of 4000 × 3000 pixels on a phone: enlarged, with a beacon that is dragged there and moved by keys."""
    page = await sign_in(browser, base, link)
    folder = tempfile.mkdtemp(prefix="plan-")
    await new_beacon(page, base, "Hall", 1)
    floor = pathlib.Path(f"{folder}/floor.jpg")
    floor.write_bytes(await jpeg(page, 4000, 3000))
    await open_page(page, base + "/plans")
    await fill(page, "#f-name", "Ground floor")
    # The file arrives only after its line was drawn: what its picture moves is not forgotten.
    async with holding(page, "*/media") as asked:
        await choose_files(page, "#f-picture-file", [str(floor)])
        await asked()
        await page.until("the file is on its way", "!!document.querySelector('.uploads progress')")
        # The line of the file is an answer to the choice; browsers do not count that, but no hand has chosen here.
        await forget_jumps(page)
    await page.until("the plan's picture is there", "!!document.querySelector('.media-shown img')?.complete")
    # Browsers tell of a move after they have drawn it.
    await settle(page)
    jumps = await page.jumps(0.001)
    check(not jumps, f"this moved when the picture was there: {jumps}")
    await submit(page, "form[action='/plans'] .primary", "the plan is there", r"/^\/plans\/./.test(location.pathname)")
    await resize(page, 390, 844)
    await check_still(page, "the plan")
    await press(page, "[data-put]")
    mark = "document.querySelector('.plan-mark circle').getBoundingClientRect()"
    small = await page.run(f"{mark}.width")
    check(small >= 24, f"the mark has {small} px: too small for a finger")
    before = await page.run("document.querySelector('.plan').getBoundingClientRect().width")
    for _ in range(2):
        await press(page, "[data-zoom=in]")
    await page.until("the plan is four times as large", f"document.querySelector('.plan').getBoundingClientRect().width > {before} * 3.9")
    check(abs(await page.run(f"{mark}.width") - small) < 3, "the mark grows with the plan")
    check("/file" in await page.run("document.querySelector('.plan image').getAttribute('href')"), "the enlarged plan is the small picture")
    await page.run("document.querySelector('.plan-mark').scrollIntoView({block: 'center', inline: 'center'})")
    await settle(page)
    box = await page.run(f"(() => {{ const box = {mark}; return [box.x + box.width / 2, box.y + box.height / 2]; }})()")
    for kind, x in [("mousePressed", 0), ("mouseMoved", 60), ("mouseReleased", 60)]:
        await page.call("Input.dispatchMouseEvent", type=kind, x=box[0] + x, y=box[1], button="left", buttons=1, clickCount=1)
    moved = float(await page.run("document.querySelector('[name$=\".x\"]').value"))
    check(53 < moved < 56, f"60 px of four times 356 px lead to {moved} percent")
    await page.run("document.querySelector('.plan-mark').focus()")
    await page.press("ArrowRight")
    check(abs(float(await page.run("document.querySelector('[name$=\".x\"]').value")) - moved - 1) < 0.01, "the arrow keys do not move it")
    await settle(page)
    box = await page.run(f"(() => {{ const box = {mark}; return [box.x + box.width / 2, box.y + box.height / 2]; }})()")
    for kind, x in [("mousePressed", 0), ("mouseMoved", 60), ("mouseReleased", 60)]:
        await page.call("Input.dispatchMouseEvent", type=kind, x=box[0] + x, y=box[1], button="right", buttons=2, clickCount=1)
    check(abs(float(await page.run("document.querySelector('[name$=\".x\"]').value")) - moved - 1) < 0.01, "the button for menus moves it")
    await forget_jumps(page)
    for dark in [False, True]:
        await page.media(dark=dark, still=True)
        await check_looks(page, base, f"plan-large-phone-{'dark' if dark else 'light'}", pictures)
    for _ in range(3):
        await press(page, "[data-zoom=out]")
    check(abs(await page.run("document.querySelector('.plan').getBoundingClientRect().width") - before) < 1, "the plan is not as small as before")
    await submit(page, "#places .primary", "the place is saved", SAID)
    check_quiet(page, base)
    return {}


async def jpeg(page: Page, width: int = 400, height: int = 300) -> bytes:
    """A JPEG, made by the browser's own encoder."""
    text = await page.run("""(([width, height]) => {
        const canvas = document.createElement("canvas");
        [canvas.width, canvas.height] = [width, height];
        const paint = canvas.getContext("2d");
        for (let each = 0; each < width; each += 1) { paint.fillStyle = `hsl(${each * 7} 80% 50%)`; paint.fillRect(each, 0, 1, height - each / 2); }
        return canvas.toDataURL("image/jpeg", 0.9);
    })(SIZE)""".replace("SIZE", f"[{width}, {height}]"))
    return base64.b64decode(text.split(",")[1])


# Where headings, forms and fields are, and which of them have moved since then, with both places.
NOTE_PLACES = """{
    window.place = (element) => Math.round(element.getBoundingClientRect().y + scrollY);
    window.places = [...document.querySelectorAll("main h2, main form, main .field")].map((each) => [each, place(each)]);
}"""
MOVED_PLACES = """places.filter(([each, y]) => Math.abs(place(each) - y) > 2)
    .map(([each, y]) => `${y} to ${place(each)}: ${each.outerHTML.slice(0, 60)}`)"""


async def content_looks(browser: Browser, base: str, link: str, pictures: str) -> dict[str, Any]:
    """Every page of content in light and dark, on a desk and on a phone; names of 200 letters and from right to left."""
    page = await sign_in(browser, base, link)
    folder = tempfile.mkdtemp(prefix="looks-")
    await open_page(page, base + "/site")
    await fill(page, "#languages", "en\nde\nar")
    await submit(page, ".form-foot .primary", "the languages are saved", "location.search.includes('done=') || location.pathname === '/site'")
    beacon = await new_beacon(page, base, "الحوت الأزرق " * 8, 7)
    image = await new_image(page, picture(folder, "W" * 120, 640, 480, 20))

    async def nothing(name: str) -> None:
        return None

    # All that is found, so that one look is enough.
    found: list[str] = []

    async def look(name: str) -> None:
        try:
            await check_looks(page, base, name, pictures)
        except Failure as failure:
            found.append(str(failure))
            page.complaints.clear()

    await four_sides(page, folder, nothing)
    await open_page(page, base + "/plans")
    await fill(page, "#f-name", "Ground floor")
    await choose_files(page, "#f-picture-file", [picture(folder, "floor", 800, 500, 200)])
    await page.until("the plan's picture is there", "!!document.querySelector('.media-shown img')")
    await submit(page, "form[action='/plans'] .primary", "the plan is there", r"/^\/plans\/./.test(location.pathname)")
    plan = await page.run("location.pathname")
    await press(page, "[data-put]")
    await page.press("ArrowRight")
    check(await page.run("document.querySelector('[name$=\".x\"]').value") == "51", "the arrow keys do not move the beacon")
    await submit(page, "#places .primary", "the place is saved", SAID)
    await open_page(page, base + "/media")
    media = await page.run("document.querySelector('.media-cards a').getAttribute('href')")
    paths = ["/beacons", "/beacons/new", beacon, "/uncategorized", image, f"{image}?language=ar", f"{image}/contents/bottom",
             f"{image}/contents/top", f"{image}/page", "/media", "/media/pick?kind=picture", media, f"{media}/delete", "/plans", plan, f"{beacon}/delete"]
    for path in paths:
        name = path.split("?")[0][1:].replace(beacon[9:], "one").replace(image[8:], "one").replace(media[7:], "one").replace(plan[7:], "one").replace("/", "-")
        for size, width, height in SIZES:
            await resize(page, width, height)
            await open_page(page, base + path)
            for dark in [False, True]:
                await page.media(dark=dark, still=True)
                await look(f"{name}-{size}-{'dark' if dark else 'light'}")
        await resize(page, 360, 780)
        wide = await page.run("document.documentElement.scrollWidth - innerWidth")
        if wide > 0:
            found.append(f"{path}: {wide} px wider than a screen of 360 px")
    # Where the scripts come late, as over a slow network, nothing moves when they do.
    await resize(page, 390, 844)
    for path in [*paths, f"{image}/contents/left"]:
        if not await page.run(f"fetch('{path}').then(answer => answer.text()).then(text => text.includes('/assets/edit.js'))"):
            continue
        async with holding(page, "*/assets/edit.js*") as asked:
            await page.call("Page.navigate", url=base + path)
            await asked()
            await page.until("it is drawn", "performance.getEntriesByName('first-contentful-paint').length > 0")
            await page.run(NOTE_PLACES)
        await page.until("its scripts have run", "document.documentElement.classList.contains('scripted')")
        await settle(page)
        if moved := await page.run(MOVED_PLACES):
            found.append(f"{path}: this moved when the scripts came: {moved}")
    # A dialog on a phone and on a desk.
    for size, width, height in SIZES:
        await resize(page, width, height)
        await open_page(page, base + image)
        await press(page, "#side-bottom .side-content")
        await page.until("the dialog is open", "!!document.querySelector('dialog[open] .content-form')")
        await look(f"dialog-gallery-{size}")
        await press(page, "dialog[open] .media-list button")
        await page.until("the library is open", "!!document.querySelector('.media-picker[open] [data-id]')")
        await look(f"dialog-library-{size}")
    check(not found, "\n".join(found))
    return {}


async def focus(page: Page, wanted: str, key: str = "Tab", limit: int = 150) -> None:
    """Goes with the keyboard until an element has the focus."""
    for _ in range(limit):
        if await page.run(f"document.activeElement?.matches({json.dumps(wanted)}) ?? false"):
            return
        await page.press(key)
    raise Failure(f"the keyboard does not reach {wanted}; it is at {await page.run('document.activeElement?.outerHTML.slice(0, 200)')}")


async def content_keyboard(browser: Browser, base: str, link: str, pictures: str) -> dict[str, Any]:
    """A beacon, an image, a map beside it and the order of images, by keyboard alone."""
    page = await sign_in(browser, base, link)
    folder = tempfile.mkdtemp(prefix="keyboard-")
    await focus(page, "#f-name")
    await page.write("Hall")
    await focus(page, "#f-uuid")
    await page.write(f"{UUID}/1/3")
    await page.press("Enter")
    await page.until("the beacon is there", r"/^\/beacons\/[a-z0-9]{10,}/.test(location.pathname) && document.readyState === 'complete'")
    beacon = await page.run("location.pathname")
    await page.run("window.isOld = true")
    # The system's dialog for files is not part of the page.
    await focus(page, "#image-files")
    await choose_files(page, "#image-files", [picture(folder, "one", 64, 48, 1), picture(folder, "two", 64, 48, 90)])
    await page.until("the images are there", "!window.isOld && document.readyState === 'complete' && document.querySelectorAll('.image-card').length === 2")
    first = await page.run("document.querySelector('.image-card').dataset.id")
    await focus(page, f"#image-{first} [name=by][value='1']")
    await page.press("Enter")
    await page.until("it is the second", f"document.querySelectorAll('.image-card')[1].dataset.id === '{first}'")
    check(await page.run("document.activeElement.matches('[name=by]')"), "the focus is lost after moving")
    await focus(page, f"#image-{first} .image-link")
    await page.press("Enter")
    await page.until("the image is open", "location.pathname.startsWith('/images/') && document.readyState === 'complete'")
    await focus(page, "#side-top .side-add li:nth-child(4) a")
    await page.press("Enter")
    await page.until("the dialog is open", "!!document.querySelector('dialog[open] .content-form')")
    for _ in range(60):
        await page.press("Tab")
        outside = await page.run("document.activeElement !== document.body && !document.activeElement.closest('dialog')")
        check(not outside, "the focus leaves the dialog")
    await page.press("Escape")
    await page.until("the dialog is closed", "!document.querySelector('dialog[open]')")
    check(await page.run("document.activeElement.matches('#side-top .side-add li:nth-child(4) a')"), "the focus does not go back to the button")
    await page.press("Enter")
    await page.until("the dialog is open", "!!document.querySelector('dialog[open] .content-form')")
    await focus(page, "dialog[open] [name=coordinates]")
    await page.write("48.2, 16.3")
    await page.run("window.isOld = true")
    await page.press("Enter")
    await page.until("the map is saved", "!window.isOld && document.readyState === 'complete' && !!document.querySelector('#side-top.is-filled')")
    check_quiet(page, base)
    await open_page(page, base + beacon)
    return {}


async def content_scriptless(browser: Browser, base: str, link: str, pictures: str) -> dict[str, Any]:
    """A beacon, an image by upload, a gallery with its buttons and a full page as plain text, without JavaScript."""
    page = await sign_in(browser, base, link)
    folder = tempfile.mkdtemp(prefix="scriptless-")

    async def send(selector: str, until: str) -> None:
        await page.run("window.isOld = true")
        await press(page, selector)
        await page.until(until, f"!window.isOld && document.readyState === 'complete' && ({until})")

    await go(page, base + "/beacons/new", scripts=False)
    await fill(page, "#f-name", "Hall")
    await fill(page, "#f-uuid", f"{UUID}/1/9")
    await send("#add .primary", r"/^\/beacons\/[a-z0-9]{10,}/.test(location.pathname)")
    await choose_files(page, "#image-files", [picture(folder, "whale", 64, 48, 5)])
    await send("#add-images button", "location.pathname.startsWith('/images/')")
    image = await page.run("location.pathname")
    await page.picture(f"{pictures}/curator-scriptless-image.png", whole=True)
    await go(page, f"{base}{image}/contents/right?kind=gallery", scripts=False)
    await choose_files(page, "#more-files", [picture(folder, "one", 64, 48, 60), picture(folder, "two", 64, 48, 120)])
    await send(".form-foot .primary", "!!document.querySelector('#side-right.is-filled')")
    await go(page, f"{base}{image}/contents/right", scripts=False)
    await send("[data-row]:nth-child(1) button[value='down 0']", "document.querySelector('[data-row] [data-name]')?.innerText.startsWith('two')")
    await send(".form-foot .primary", "!!document.querySelector('#side-right.is-filled')")
    await go(page, f"{base}{image}/page", scripts=False)
    await fill(page, "#f-title", "The whale")
    await fill(page, "#f-body", "## Large\n\nVery large.\n\n- krill")
    await send(".form-foot .primary", f"location.pathname === '{image}' && document.body.innerText.includes('The whale')")
    await go(page, f"{base}{image}/page", scripts=False)
    check("- krill" in await page.run("document.querySelector('#f-body').value"), "the text is lost")
    return {}


CHECKS: dict[str, Callable[[Browser, str, str, str], Awaitable[dict[str, Any]]]] = {
    "content": content, "refused": refused, "back": back, "looks": content_looks, "keyboard": content_keyboard,
    "scriptless": content_scriptless, "sending": sending, "kept": kept, "late": late, "dropped": dropped, "crop": crop, "plan": plan,
    "answers": answers, "clocks": clocks, "picture_alt": picture_alt,
}


async def main() -> None:
    name, base, link, pictures = sys.argv[1:5]
    pathlib.Path(pictures).mkdir(parents=True, exist_ok=True)
    async with Browser() as browser:
        print(json.dumps(await CHECKS[name](browser, base, link, pictures)))


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except Failure as failure:
        sys.exit(f"{sys.argv[1]}: {failure}")
