#!/usr/bin/env python3
"""Looks at the page for visitors in a headless Chromium.

    page_checks.py CHECK BASE_URL [PICTURES]

Prints JSON lines, and waits for a line on standard input where the daemon has to be changed meanwhile. Exit status 1
and a message where something is not as it should be. PICTURES is a folder for screenshots.
"""

from __future__ import annotations

import asyncio
import json
import pathlib
import sys
from typing import Any, Awaitable, Callable

try:
    import axe_core_python
except ImportError:
    sys.exit("axe-core-python is not installed: tools/test makes the environment anew from requirements-web.txt")

from devtools import LONGEST, Browser, Failure, Page
from steady import go, press, reload, resize, settle

HAS_CONTENT = "!!document.querySelector('img.recognised')?.naturalWidth && document.querySelectorAll('#ranking li').length > 0"
NAME = "document.getElementById('name').textContent"
STATE = "document.getElementById('state').dataset.state"
# The site's name for the place has come too, which is its picture's in most sites here. Until then a number, or the
# scenario's name, is shown for a moment.
IS_NAMED = f"{HAS_CONTENT} && document.querySelector('img.recognised').alt === {NAME}"


def tell(value: Any) -> None:
    print(json.dumps(value), flush=True)


async def told() -> str:
    """The next line from whoever started this."""
    return (await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)).strip()


def check(condition: Any, what: str) -> None:
    if not condition:
        raise Failure(what)


def check_quiet(page: Page, base: str) -> None:
    """Nothing was asked of another host, and the console is empty, but for content that is not stored yet."""
    foreign = [url for url in page.requests if not url.startswith((base, "data:", "about:", "blob:"))]
    check(not foreign, f"other hosts were asked: {foreign}")
    complaints = [each for each in page.complaints if not ("404" in each and f"{base}/v1/content/" in each)]
    check(not complaints, f"the console says: {complaints}")


async def walk(browser: Browser, base: str, _: str) -> None:
    """Follows the visitor past four exhibits: the names in order, each with its own pictures, none with another's."""
    page = await browser.page(base, 1280, 900)
    await page.run("""
        window.seen = []; window.wrong = []; window.fetched = false;
        const note = () => {
            const name = document.getElementById('name').textContent;
            if (seen.at(-1) !== name) seen.push(name);
            const shown = document.querySelector('img.recognised');
            if (shown && !document.body.classList.contains('nowhere') && shown.alt !== name) wrong.push([name, shown.alt]);
            if (!document.getElementById('fetch').hidden) fetched = true;
        };
        new MutationObserver(note).observe(document.body, {subtree: true, childList: true, characterData: true, attributes: true});
        note();
    """)
    complete: set[str] = set()
    # The visitor walks there and back, so that what a busy machine misses comes again.
    end = asyncio.get_running_loop().time() + 3 * LONGEST
    while len(complete) < 4:
        check(asyncio.get_running_loop().time() < end, f"in {3 * LONGEST} s only these were complete: {complete}")
        name = await page.run(f"""(() => {{
            const picture = document.querySelector('img.recognised');
            const cards = document.querySelectorAll('.card').length;
            return picture?.naturalWidth && cards === 4 ? {NAME} : null;
        }})()""")
        if name:
            complete.add(name)
        await asyncio.sleep(0.2)
    check(not await page.run("wrong.length"), "another exhibit's picture was shown")
    check(await page.run("fetched"), "no download was shown")
    await page.until("it says that it is live", f"{STATE} === 'live'")
    await page.until("the list has the others as well", "document.querySelectorAll('#ranking li .row-name').length >= 3")
    check_quiet(page, base)
    tell({"seen": await page.run("seen"), "complete": sorted(complete)})


async def foreign_frame(page: Page, attempts: list[str]) -> str:
    """The session of the frame with the foreign page, when it is loaded and the console has a word of each attempt."""
    end = asyncio.get_running_loop().time() + LONGEST
    while True:
        missing = [each for each in attempts if not any(each in complaint for complaint in page.complaints)]
        loaded = "document.readyState === 'complete' && !!document.getElementById('foreign')"
        for frame in list(page.frames):
            try:
                if await page.run(loaded, frame) and not missing:
                    return frame
            except Failure:
                # A frame that has gone, or that has nothing in it yet.
                continue
        if asyncio.get_running_loop().time() > end:
            raise Failure(f"the foreign page is not there: {len(page.frames)} frames; no {missing} in {page.complaints}")
        await asyncio.sleep(0.1)


async def hostile(browser: Browser, base: str, _: str) -> None:
    """Foreign names and content are shown, and do nothing."""
    page = await browser.page(base, 390, 844)
    # The scenario's name gives way to the site's with the next ranking.
    await page.until("the name is shown as it is written", f"{IS_NAMED} && {NAME}.startsWith('<img src=x')")
    check(await page.run("document.querySelectorAll('.words h2').length >= 10"), "labels are missing")
    check(await page.run("!document.querySelector('main [onerror], main [onload], main script')"), "markup came through")
    links = await page.run("[...document.querySelectorAll('a[href]')].map(each => each.getAttribute('href'))")
    mail = "mailto:o'brien%26co@m%C3%BCseum.example?body=a%0D%0Ab"
    wanted = {"#here", "/plain", "https://museum.example/fine", "geo:-33.9,151.2", "tel:+493012345", mail}
    others = [each for each in links if each not in wanted and not each.startswith(("https://www.openstreetmap.org/", "geo:0,0?q="))]
    check(not others, f"links that should not be: {others}")
    check({"https://museum.example/fine", "tel:+493012345", mail} <= set(links), f"the harmless links are missing: {links}")
    check(len([each for each in links if each.startswith("geo:0,0?q=")]) == 2, f"a place is missing: {links}")
    number = await page.run("document.querySelector('a[href^=\"tel:\"]').innerText.trim()")
    check(number == "+49 (0)30/123-45", f"an action without a name is shown as {number}")
    check(await page.run("document.documentElement.scrollWidth <= innerWidth"), "a long word makes the page wider than the screen")
    # Its own code has asked nobody else so far, and nothing was refused, since nothing was tried.
    check_quiet(page, base)

    await page.run("document.querySelector('.read').click()")
    await page.until("the foreign page is shown", "!!document.querySelector('.page-frame')?.contentDocument?.querySelector('iframe')?.srcdoc")
    # When all that it tries has been refused, it has tried everything.
    attempts = ["a.png' violates", "a.css' violates", "Framing 'https://evil.example", "Blocked script execution"]
    foreign = await foreign_frame(page, attempts)
    # Nothing else comes, such as the address of a refresh.
    await asyncio.sleep(1.5)
    inner = "document.querySelector('.page-frame').contentDocument.querySelector('iframe')"
    check(await page.run(f"{inner}.getAttribute('sandbox') === ''"), "the frame is not a full sandbox")
    check(await page.run(f"{inner}.contentDocument === null"), "the foreign page can be reached by scripts")
    look = await page.run("getComputedStyle(document.body).backgroundColor + ' ' + origin + ' ' + document.title", foreign)
    check(look.startswith("rgb(204, 221, 238) null"), f"it has not its own style and no origin: {look}")
    check(not look.endswith("hacked"), "its script was run")
    check(not await page.run("'hacked' in window"), "something foreign was run")
    check(not any("evil" in url for url in page.requests), f"it asked for {page.requests}")
    tell({"links": links, "refused": page.complaints})

    # By keyboard out of it again.
    await page.press("Escape")
    await page.until("the dialog is closed", "!document.querySelector('dialog')")


async def states(browser: Browser, base: str, pictures: str) -> None:
    """Blind, lost, and back again; what was known stays, and is said to be old."""
    page = await browser.page(base, 1024, 768, dark=True)
    await page.until("content is shown", IS_NAMED)
    name = await page.run(NAME)
    for change, state, words in [("blind", "blind", "cannot hear"), ("hears", "live", None), ("gone", "lost", "was lost")]:
        tell({"wants": change})
        await told()
        await page.until(f"it says {state}", f"{STATE} === '{state}'")
        if words:
            notice = await page.run("document.getElementById('notice').hidden ? '' : document.getElementById('notice').textContent")
            check(words in notice, f"the notice says \"{notice}\"")
            check(await page.run("document.getElementById('eyebrow').textContent") == "Last near you", "it claims to know")
            check(await page.run("document.querySelectorAll('#ranking li').length > 0"), "what was known has gone")
            check(await page.run("!!document.querySelector('img.recognised')?.naturalWidth"), "the content has gone")
            await page.picture(f"{pictures}/{state}.png")
        else:
            check(await page.run("document.getElementById('notice').hidden"), "a notice is still there")
    tell({"wants": "back"})
    await told()
    await page.until("it is live again", f"{STATE} === 'live'")
    await page.until("content is shown again", HAS_CONTENT)
    tell({"name": name})


async def nowhere(browser: Browser, base: str, pictures: str) -> None:
    """Where no beacon is near, that is said, and the content for it is shown."""
    page = await browser.page(base, 390, 844)
    await page.until("it says that none is near", "document.body.classList.contains('nowhere')")
    check("No exhibit is near" in await page.run("document.getElementById('eyebrow').textContent"), "it does not say so")
    await page.until("the welcome is shown", "!!document.querySelector('img.recognised')?.naturalWidth")
    check(await page.run("!document.getElementById('ranking-empty').hidden"), "the empty list says nothing")
    mail = await page.run("document.querySelector('a[href^=\"mailto:\"]')?.getAttribute('href')")
    check(mail == "mailto:hello@museum.example?subject=My%20visit", f"the mail link is {mail}")
    await page.picture(f"{pictures}/nowhere.png", whole=True)
    check_quiet(page, base)


CONTRAST = """(() => {
    const canvas = Object.assign(document.createElement('canvas'), {width: 1, height: 1});
    const context = canvas.getContext('2d', {willReadFrequently: true});
    const rgb = (colour, under) => {
        context.clearRect(0, 0, 1, 1);
        for (const each of [under, colour]) { if (each) { context.fillStyle = each; context.fillRect(0, 0, 1, 1); } }
        return [...context.getImageData(0, 0, 1, 1).data];
    };
    const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
        .reduce((sum, v, index) => sum + v * [.2126, .7152, .0722][index], 0);
    const paper = getComputedStyle(document.body).backgroundColor;
    const back = element => {
        for (let at = element; at; at = at.parentElement) {
            const colour = getComputedStyle(at).backgroundColor;
            if (rgb(colour)[3] > 200) return colour;
        }
        return paper;
    };
    const poor = [];
    for (const element of document.querySelectorAll('h1, h2, h3, p, a, button, span, li')) {
        const text = [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
        if (!text || !element.getClientRects().length || element.closest('[hidden], .hidden, .skip')) continue;
        const under = back(element);
        const [one, other] = [light(rgb(getComputedStyle(element).color, under)), light(rgb(under))].sort();
        const ratio = (Math.max(one, other) + .05) / (Math.min(one, other) + .05);
        if (ratio < 4.5) poor.push([element.className || element.tagName, element.textContent.slice(0, 30), ratio.toFixed(2)]);
    }
    return poor;
})()"""


# What can be focused, in the order of the document: each has to be below the one before, or beside it farther on.
TAB_ORDER = """(() => {
    const stops = [...document.querySelectorAll('main a, main button, main video, .around button, .offer button')]
        .filter(each => each.getClientRects().length);
    const wrong = [];
    const aside = innerWidth >= 1024;
    stops.slice(1).forEach((each, index) => {
        const [before, after] = [stops[index], each].map(one => one.getBoundingClientRect());
        if (aside && each.closest('.around') && !stops[index].closest('.around')) return;
        const isBelow = after.top >= before.bottom - 2 || after.top > before.top + 2 && after.left >= before.left - 2;
        const isBeside = after.left >= before.right - 2;
        if (!isBelow && !isBeside) wrong.push([stops[index].innerText.slice(0, 20), each.innerText.slice(0, 20)]);
    });
    return wrong;
})()"""


async def check_axe(page: Page, where: str) -> None:
    """The rules of axe-core find nothing."""
    if await page.run("typeof axe === 'undefined'"):
        await page.run((pathlib.Path(axe_core_python.__file__).parent / "axe.min.js").read_text() + "; true")
    found = await page.run("axe.run(document, {resultTypes: ['violations']}).then(all => all.violations.map("
                           "each => [each.id, each.nodes.slice(0, 3).map(node => node.html.slice(0, 120))]))")
    check(not found, f"{where}: {found}")


async def accessible(browser: Browser, base: str, _: str) -> None:
    """What assistive technology sees, contrast in both themes, and the way by keyboard."""
    page = await browser.page(base, 1280, 900)
    await page.until("content is shown", IS_NAMED)
    await settle(page)
    for dark in [False, True]:
        await page.media(dark=dark, still=True)
        poor = await page.run(CONTRAST)
        check(not poor, f"too little contrast ({'dark' if dark else 'light'}): {poor}")

    nodes = await page.accessibility()
    roles = [each["role"] for each in nodes]
    for role in ["banner", "main", "complementary", "contentinfo", "status"]:
        check(role in roles, f"no {role} among {sorted(set(roles))}")
    titles = [each for each in nodes if each["role"] == "heading" and each["properties"].get("level") == 1]
    check(len(titles) == 1 and titles[0]["name"], f"headings of level 1: {titles}")
    for role in ["button", "link", "article", "complementary"]:
        nameless = [each for each in nodes if each["role"] == role and not each["name"]]
        check(not nameless, f"{len(nameless)} of role {role} have no name")
    live = await page.run("document.getElementById('announcement').getAttribute('aria-live')")
    check(live == "polite", f"announcements are {live}")
    levels = await page.run("[...document.querySelectorAll('h1, h2, h3, h4')].map(each => Number(each.tagName[1]))")
    check(levels[0] == 1 and all(after - before <= 1 for before, after in zip(levels, levels[1:])), f"headings: {levels}")
    shown = await page.run("document.body.innerText")
    for word in ["cm wide", "°", "h4:", "sim:", "listening", "revision"]:
        check(word not in shown, f"visitors read \"{word}\"")
    await check_axe(page, "a desk")
    for width, height in [(390, 844), (820, 1180), (1440, 900)]:
        await resize(page, width, height)
        out_of_order = await page.run(TAB_ORDER)
        check(not out_of_order, f"at {width} px the way by Tab is not as drawn: {out_of_order}")
        await check_axe(page, f"{width} px")
    await resize(page, 1280, 900)

    await page.press("Tab")
    check(await page.run("document.activeElement.className") == "skip", "the first stop is not the way to the content")
    await page.press("Tab")
    for _ in range(12):
        if await page.run("document.activeElement.classList.contains('thumb')"):
            break
        await page.press("Tab")
    check(await page.run("document.activeElement.classList.contains('thumb')"), "pictures cannot be reached by keyboard")
    outline = await page.run("getComputedStyle(document.activeElement).outlineStyle")
    check(outline != "none", "the focus cannot be seen")
    await page.press("Enter")
    await page.until("the picture is shown", "!!document.querySelector('dialog[open] img')?.naturalWidth")
    await page.press("ArrowRight")
    await page.press("Escape")
    await page.until("it is closed", "!document.querySelector('dialog')")
    check(await page.run("document.activeElement.classList.contains('thumb')"), "the focus has not come back")
    check_quiet(page, base)


# Each card in turn, as far as it comes below what is at the bottom of the screen.
OVERFLOWS = """(() => {
    const around = document.querySelector('.around').getBoundingClientRect().top;
    const on = document.querySelector('.card.on');
    const over = [];
    for (const card of document.querySelectorAll('.card')) {
        document.querySelectorAll('.card').forEach(each => each.classList.toggle('on', each === card));
        for (const each of document.querySelectorAll('h1, .picture img, .card.on, .card.on *')) {
            const edge = card.contains(each) ? Math.min(around, card.getBoundingClientRect().bottom) : around;
            const below = each.getBoundingClientRect().bottom - edge;
            if (below > 1) over.push([card.innerText.slice(0, 20), each.className || each.tagName, Math.round(below)]);
        }
    }
    document.querySelectorAll('.card').forEach(each => each.classList.toggle('on', each === on));
    return over;
})()"""


async def looks(browser: Browser, base: str, pictures: str) -> None:
    """Screenshots at the sizes of a desk, a phone and screens on a wall; nothing overflows."""
    sizes = [
        ("desktop-light", "/", 1440, 900, False), ("desktop-dark", "/", 1440, 900, True),
        ("tablet", "/", 820, 1180, False), ("phone-light", "/", 390, 844, False), ("phone-dark", "/", 390, 844, True),
        ("small-phone", "/", 320, 568, False), ("kiosk", "/?kiosk", 1920, 1080, True),
        ("kiosk-upright", "/?kiosk", 1080, 1920, True), ("kiosk-7-inch", "/?kiosk", 800, 480, True),
        ("kiosk-light", "/?kiosk&theme=light", 1920, 1080, True),
    ]
    for name, path, width, height, dark in sizes:
        page = await browser.page(base + path, width, height, dark=dark)
        await page.until("content is shown", IS_NAMED)
        await settle(page)
        await page.picture(f"{pictures}/{name}.png")
        wide = await page.run("document.documentElement.scrollWidth - innerWidth")
        check(wide <= 0, f"{name}: the page is {wide} px wider than the screen")
        if "kiosk" in name:
            over = await page.run(OVERFLOWS)
            check(not over, f"{name}: cut off at the lower edge: {over}")
            check(await page.run("document.querySelectorAll('.card.on').length === 1"), f"{name}: not one card at a time")
        check_quiet(page, base)
        await browser.call("Target.closeTarget", targetId=page.target)


async def curated(browser: Browser, base: str, pictures: str) -> None:
    """What content_checks.py has made in the curators' pages and published, as visitors see it."""
    page = await browser.page(f"{base}/", 1280, 900)
    await page.until("the curator's name is shown, and content", f"{HAS_CONTENT} && {NAME} === 'Blue whale hall'")
    await settle(page)
    alt = await page.run("document.querySelector('img.recognised').alt")
    check(alt == "A blue whale under water", f"the picture's alternative text is {alt}")
    texts = await page.run("document.getElementById('content').innerText")
    for each in ["Blue whale", "The skeleton"]:
        check(each in texts, f"{each} is not shown: {texts}")
    links = await page.run("[...document.querySelectorAll('#content a[href]')].map(each => each.getAttribute('href'))")
    for each in ["https://example.org/whale", "https://example.org/whale.mp4", "geo:48.2082,16.3738"]:
        check(any(link.startswith(each) for link in links), f"{each} is no link: {links}")
    await check_axe(page, "curated")
    await page.picture(f"{pictures}/curated-desk.png", whole=True)
    await page.run("document.querySelector('.read').click()")
    await page.until("the full page is shown", "!!document.querySelector('.page-frame')?.contentDocument?.querySelector('iframe')?.srcdoc.includes('It is the largest animal.')")
    phone = await browser.page(f"{base}/", 390, 844)
    await phone.until("content is shown", HAS_CONTENT)
    await settle(phone)
    await phone.picture(f"{pictures}/curated-phone.png", whole=True)
    tell({"links": links})


async def rich(browser: Browser, base: str, pictures: str) -> None:
    """Everything that a manifest may have, in the visitor's language; another one is chosen, and kept."""
    page = await browser.page(f"{base}/", 1280, 900)
    await page.until("content is shown", f"{HAS_CONTENT} && {NAME} === 'Steam Engine'")
    languages = "[...document.querySelectorAll('#language option')].map(each => each.textContent)"
    check(await page.run(languages) == ["English", "Bosanski", "Deutsch"], f"languages: {await page.run(languages)}")
    check(await page.run("document.querySelectorAll('.stage').length === 1"), "content is shown that is not valid now")
    named = await page.run("document.querySelector('.look').getAttribute('aria-label')")
    check(named == "Look at Steam Engine: A black engine with a red wheel", f"the picture is called {named}")
    check(await page.run("document.querySelector('img.recognised').alt") == "A black engine with a red wheel", "alt")
    await page.run("document.querySelector('audio').load()")
    await page.until("the sound can be played", "document.querySelector('audio').duration > 0.9")
    check(await page.run("document.querySelector('.transcript').textContent.includes('ninety years')"), "no transcript")
    await page.until("captions are there", "document.querySelector('.card video').textTracks[0]?.cues?.length === 1")
    check(await page.run("document.querySelectorAll('.signed video').length === 2"), "no sign language")
    labels = await page.run("[...document.querySelectorAll('.labels li')].map(each => each.textContent)")
    check(labels == ["Machines", "1824", "iron"], f"labels: {labels}")
    alts = []
    await page.run("document.querySelector('.thumb').click()")
    for _ in range(3):
        alts.append(await page.run("document.querySelector('dialog img').alt"))
        await page.press("ArrowRight")
    check(alts == ["1: A black engine with a red wheel", "", "The wheel, picture 3 of 3"], f"alternative texts: {alts}")
    await page.press("Escape")
    await page.until("the pictures are closed", "!document.querySelector('dialog')")
    await settle(page)
    for dark in [False, True]:
        await page.media(dark=dark, still=True)
        await check_axe(page, "dark" if dark else "light")
        await page.picture(f"{pictures}/rich-{'dark' if dark else 'light'}.png", whole=True)

    await page.run("(() => { const menu = document.getElementById('language'); menu.value = 'de';"
                   " menu.dispatchEvent(new Event('change')); })()")
    await page.until("the name is German", f"{NAME} === 'Dampfmaschine'")
    check(await page.run("document.querySelector('.transcript').textContent.includes('neunzig')"), "no German transcript")
    check(await page.run("document.getElementById('content').lang") == "de", "the language is not said")
    await page.until("the list has the German name", "document.querySelector('.row-name')?.textContent === 'Dampfmaschine'")

    phone = await browser.page(f"{base}/", 390, 844)
    await phone.until("content is shown", HAS_CONTENT)
    await phone.until("the choice was kept", f"{NAME} === 'Dampfmaschine'")
    await settle(phone)
    await phone.picture(f"{pictures}/rich-phone.png", whole=True)
    check(await phone.run("document.documentElement.scrollWidth <= innerWidth"), "it is wider than the phone")
    await check_axe(phone, "phone")

    related = await browser.page(f"{base}/?language=hr", 390, 844)
    await related.until("Bosnian is shown to readers of Croatian", f"{NAME} === 'Parna mašina'")
    unknown = await browser.page(f"{base}/?language=ja", 390, 844)
    await unknown.until("the browser's own language follows", f"{NAME} === 'Steam Engine'")
    wall = await browser.page(f"{base}/?kiosk", 1920, 1080)
    await wall.until("content is shown", f"{HAS_CONTENT} && {NAME} === 'Dampfmaschine'")
    await settle(wall)
    await wall.picture(f"{pictures}/rich-kiosk.png")
    check(not await wall.run(OVERFLOWS), "something is cut off on the wall")
    # The files that stand for videos are none.
    check(not [url for url in page.requests if not url.startswith((base, "data:", "about:", "blob:"))], "other hosts")


async def picture_of_card(page: Page, link: str, path: str) -> None:
    """A picture of the wall with the card of this link on it. By itself the wall turns to another card now and then."""
    for _ in range(20):
        await page.run(f"""document.querySelectorAll('.card').forEach(card => card.classList.toggle('on', card.contains({link})))""")
        await settle(page)
        await page.picture(path)
        if await page.run(f"document.querySelectorAll('.card.on').length === 1 && !!{link}.closest('.card.on')"):
            return
    raise Failure(f"the wall turns away from {link} each time")


async def codes(browser: Browser, base: str, pictures: str) -> None:
    """On a wall links are QR codes, and another program reads them as what they stand for."""
    page = await browser.page(base + "/?kiosk", 1280, 720, dark=True)
    await page.until("content is shown", IS_NAMED)
    links = await page.run("[...document.querySelectorAll('a.action')].map(each => each.getAttribute('href'))")
    check(len(links) >= 3, f"only these links: {links}")
    for number, link in enumerate(links):
        path = f"{pictures}/code-{number}.png"
        await picture_of_card(page, f"document.querySelectorAll('a.action')[{number}]", path)
        reader = await asyncio.create_subprocess_exec(
            "zbarimg", "-q", "--raw", path, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL)
        output, _ = await reader.communicate()
        check(output.decode().strip() == link, f"the code of {link} is read as {output.decode()!r}")
    at = await page.run("location.href")
    await page.run("document.querySelector('a.action').click()")
    check(await page.run("location.href") == at, "a link leads away from the wall")
    check_quiet(page, base)


async def token(browser: Browser, base: str, pictures: str) -> None:
    """The token opens the page, is taken out of the address, and needs to be shown once only."""
    page = await browser.page(base, 800, 600)
    check("Scan the code" in await page.run("document.body.innerText"), "nothing says what to do without a token")
    await page.picture(f"{pictures}/token.png")
    check(not [each for each in page.complaints if "401" not in each], f"the console says: {page.complaints}")
    await check_axe(page, "without a token")
    await page.run("document.getElementById('token').focus()")
    await page.write("open-sesame-4711")
    await page.press("Enter")
    await page.until("the typed token opens the page", HAS_CONTENT)
    check(await page.run("location.search") == "", "the typed token stays in the address")
    await browser.call("Storage.clearCookies")
    page = await browser.page(base + "/?token=open-sesame-4711&kiosk", 800, 600)
    await page.until("content is shown", HAS_CONTENT)
    check(await page.run("location.search") == "?kiosk", "the address is not what it should be")
    page = await browser.page(base, 800, 600)
    await page.until("content is shown without it", HAS_CONTENT)
    await page.until("events are let through", f"{STATE} === 'live'")
    check_quiet(page, base)


OFFER = "document.getElementById('offer').hidden ? '' : document.getElementById('offer').innerText"


async def reader(browser: Browser, base: str, pictures: str) -> None:
    """What somebody reads stays; the nearest is offered. Whoever only looks is followed."""
    page = await browser.page(base, 390, 844)
    looker = await browser.page(base, 1280, 900)
    for each in [page, looker]:
        await each.until("content is shown", IS_NAMED)
    first = await page.run(NAME)
    check(await looker.run(NAME) == first, "two pages do not agree")

    await press(page, ".card .thumb", scrolls=False)
    await page.until("the gallery is open", "!!document.querySelector('dialog[open] img')?.naturalWidth")
    await page.press("ArrowRight")
    picture = await page.run("document.querySelector('dialog img').src")
    tell({"wants": "another"})
    await told()
    # Between the two there may be none, or one whose name is not known yet.
    second = await looker.until("the other is shown to who looks only", f"{IS_NAMED} && {NAME} !== {json.dumps(first)} && {NAME}")
    await page.until("another is offered", f"({OFFER}) === {json.dumps(second + ' is nearer: show')}")
    check(await page.run(NAME) == first, "the place was swapped under a reader's hands")
    check(await page.run("document.querySelector('dialog[open] img').src") == picture, "the gallery has gone")
    await settle(page)
    await page.picture(f"{pictures}/offer-gallery.png")
    await page.press("Escape")
    await page.until("the gallery is closed", "!document.querySelector('dialog')")
    await asyncio.sleep(2.5)
    check(await page.run(NAME) == first, "the place was swapped when the gallery was closed")
    check(await page.run("document.getElementById('eyebrow').textContent") == "Near you before", "it claims to be the nearest")
    await settle(page)
    await page.picture(f"{pictures}/offer-phone.png")
    await check_axe(page, "with an offer")
    await press(page, "#offer button", scrolls=False)
    await page.until("the nearest is shown", f"{NAME} === {json.dumps(second)} && ({OFFER}) === ''")
    check(await page.run("document.activeElement.id") == "here", "the focus is not at what is shown")

    await page.until("its content is shown", IS_NAMED)
    await settle(page)
    # Not to the end: the list of beacons is there, and grows and shrinks.
    await page.run("scrollTo(0, 400)")
    depth = await page.run("scrollY")
    check(depth > 300, f"there is nothing to scroll: {depth}")
    height = "document.getElementById('content').getBoundingClientRect().top"
    before = await page.run(height)
    tell({"wants": "first"})
    await told()
    await page.until("the first is offered", f"({OFFER}) === {json.dumps(first + ' is nearer: show')}")
    await page.until("nothing is said any more about the receiver", "document.getElementById('notice').hidden")
    check(await page.run(NAME) == second and abs(await page.run(height) - before) < 2, "a reader was moved")
    await press(page, "#offer button", scrolls=False)
    await page.until("the first is shown", f"{NAME} === {json.dumps(first)}")
    check(await page.run("scrollY") == 0, "a new place begins far down")

    row = f"[...document.querySelectorAll('.row')].find(each => each.querySelector('.row-name').textContent === {json.dumps(second)})"
    await page.until("the other is in the list", f"!!{row} && !document.querySelector('.nearest .row-name')?.textContent.includes({json.dumps(second)})")
    await page.run(f"{row}.click()")
    await page.until("a row opens what it names", f"{NAME} === {json.dumps(second)}")
    check(await page.run("document.getElementById('eyebrow').textContent") == "Around you", "it claims to be the nearest")
    await asyncio.sleep(2)
    check(await page.run(NAME) == second, "what was chosen has gone by itself")
    check(await page.run(OFFER) == f"{first} is nearer: show", "there is no way back to the nearest")
    await press(page, "#offer button", scrolls=False)
    await page.until("the nearest is shown again", f"{NAME} === {json.dumps(first)}")
    check_quiet(page, base)


LINES = """(() => {
    const heading = document.getElementById('name');
    return Math.round(heading.getBoundingClientRect().height / parseFloat(getComputedStyle(heading).lineHeight));
})()"""

# Elements with text of the site, and no direction of their own.
UNDIRECTED = """[...document.querySelectorAll('h1, .words h2, .words p, figcaption, .row-name, .action, .read')]
    .filter(each => each.dir !== 'auto' && !each.querySelector('bdi')).map(each => each.outerHTML.slice(0, 100))"""


async def names(browser: Browser, base: str, pictures: str) -> None:
    """Arabic names mirror the page; names of 200 letters fit every screen."""
    sizes = [("phone", "/", 390, 844), ("desk", "/", 1440, 900), ("kiosk", "/?kiosk", 1920, 1080),
             ("kiosk-upright", "/?kiosk", 1080, 1920), ("kiosk-7-inch", "/?kiosk", 800, 480)]
    for minor, kind in [(1, "arabic"), (2, "words"), (3, "word")]:
        tell({"wants": str(minor)})
        await told()
        for name, path, width, height in sizes:
            for dark in [False, True]:
                where = f"{kind}-{name}-{'dark' if dark else 'light'}"
                theme = ("&" if "?" in path else "?") + ("theme=dark" if dark else "theme=light")
                page = await browser.page(base + path + theme, width, height, dark=dark)
                # Of the two long names one has spaces.
                await page.until("its nearest is this", f"{IS_NAMED}"
                                 f" && document.documentElement.dir === '{'rtl' if minor == 1 else 'ltr'}' && "
                                 + ("true" if minor == 1 else f"{NAME}.length >= 200 && {NAME}.includes(' ') === {json.dumps(minor == 2)}"))
                await settle(page)
                await page.picture(f"{pictures}/names-{where}.png")
                wide = await page.run("document.documentElement.scrollWidth - innerWidth")
                check(wide <= 0, f"{where}: the page is {wide} px wider than the screen")
                check(not await page.run(UNDIRECTED), f"{where}: {await page.run(UNDIRECTED)}")
                lines = await page.run(LINES)
                check(lines <= (3 if "kiosk" in name else 9), f"{where}: the heading has {lines} lines")
                if "kiosk" in name:
                    over = await page.run(OVERFLOWS)
                    check(not over, f"{where}: cut off at the lower edge: {over}")
                elif minor == 1:
                    edge = await page.run("(() => { const range = document.createRange(); range.selectNodeContents(document.getElementById('name'));"
                                          " return innerWidth - range.getBoundingClientRect().right; })()")
                    check(edge < width / 3, f"{where}: the heading begins {edge} px from the right")
                if name == "desk":
                    aside, main = await page.run("['.around', 'main'].map(each => document.querySelector(each).getBoundingClientRect().left)")
                    check((aside < main) == (minor == 1), f"{where}: the page is not laid out as its texts run")
                if name in ["desk", "phone"]:
                    await check_axe(page, where)
                check_quiet(page, base)
                await browser.call("Target.closeTarget", targetId=page.target)


async def crowd(browser: Browser, base: str, pictures: str) -> None:
    """Of 200 beacons twelve are listed, the nearest first; each manifest is fetched once; files come compressed."""
    page = await browser.page(base, 390, 844)
    await page.until("content is shown", IS_NAMED)
    await page.until("all are counted", "document.getElementById('ranking-more').textContent === 'and 188 more'")
    rows = await page.run("[...document.querySelectorAll('#ranking .row-name')].map(each => each.textContent)")
    check(len(rows) == 12, f"{len(rows)} rows")
    await page.until("the nearest is on top", f"document.querySelector('#ranking .row-name')?.textContent === {NAME}")
    await page.picture(f"{pictures}/crowd.png", whole=True)
    await browser.call("Target.closeTarget", targetId=page.target)

    page = await browser.page(base, 390, 844)
    await page.until("content is shown", f"{IS_NAMED} && document.querySelectorAll('#ranking li').length > 1")
    # As a screen reader clicks: without a touch. The ranking comes again meanwhile, perhaps in another order.
    other = await page.run("(row => (row.click(), row.querySelector('.row-name').textContent))(document.querySelector('.row:not([aria-current] *)'))")
    await page.until("another is shown", f"{NAME} === {json.dumps(other)}")
    await asyncio.sleep(2)
    check(await page.run(NAME) == other, f"{other} was chosen, and has gone by itself")
    await press(page, "#offer button", scrolls=False)
    await page.until("content is shown again", IS_NAMED)
    await asyncio.sleep(3)
    nearest = [url for url in page.requests if url.endswith("/1/1")]
    check(len(nearest) == 1, f"the manifest was fetched {len(nearest)} times")
    coded = await page.run("fetch('/page/page.css').then(answer => answer.headers.get('content-encoding'))")
    check(coded == "gzip", f"styles come {coded}")
    await page.visit(base, scripts=False)
    await page.until("the plain list is shown", "location.pathname === '/plain' && document.readyState === 'complete'")
    check("and 188 more" in await page.run("document.body.innerText"), "the plain list does not say how many there are")
    check(await page.run("document.querySelectorAll('li').length") == 12, "the plain list is not bounded")


async def plain(browser: Browser, base: str, pictures: str) -> None:
    """Without JavaScript there is a list, whatever the names are."""
    page = await browser.page(base, 390, 844)
    await page.until("the name is shown as it is written", NAME + ".startsWith('<img src=x')")
    await page.visit(base, scripts=False)
    await page.until("the plain list is shown", "location.pathname === '/plain' && document.readyState === 'complete'")
    first = await page.run("document.querySelector('li bdi').textContent")
    check(first.startswith("<img src=x onerror='top.hacked=1'><script>"), f"the first name is {first}")
    check(await page.run("document.querySelectorAll('main img, main script').length") == 0, "markup came through")
    await page.picture(f"{pictures}/plain.png")
    # Also where scripts could run.
    await go(page, base + "/plain")
    check(not await page.run("'hacked' in window"), "something foreign was run")
    check_quiet(page, base)
    await check_axe(page, "the plain list")


async def drawing(browser: Browser, base: str, pictures: str) -> None:
    """A terminal's picture: each letter in its column, told as lines again."""
    page = await browser.page(base, 1000, 600)
    lines = await page.run("""(() => {
        const rows = new Map();
        for (const text of [...document.querySelectorAll('g text')].slice(1)) {
            const y = Number(text.getAttribute('y'));
            const row = rows.get(y) ?? rows.set(y, []).get(y);
            for (let at = 0; at < text.getNumberOfChars(); at += 1) {
                row[Math.round((text.getStartPositionOfChar(at).x - 16) / 8.43)] = text.textContent[at];
            }
        }
        return [...rows].sort((one, other) => one[0] - other[0]).map(([, row]) => Array.from(row, each => each ?? ' ').join(''));
    })()""")
    await page.picture(f"{pictures}/{base.rsplit('/', 1)[-1]}.png")
    tell({"lines": lines})


ROOM_OF = """(name => {
    const row = [...document.querySelectorAll('.rooms tr:not(.room) button')].find(each => each.textContent === name);
    return row?.closest('tbody').querySelector('.room bdi').textContent ?? null;
})"""
# The picture has given the sheet its 26 metres: what is on it stands where it belongs.
IS_PLANNED = "document.querySelector('#sheet img')?.naturalWidth > 0 && document.getElementById('sheet').style.getPropertyValue('--wide') === '26'"
SPOT = "document.querySelector('.scanner[aria-label^=\"Scanner pi-1 \"]').getBoundingClientRect()"


async def fleet(browser: Browser, base: str, pictures: str) -> None:
    """Beacons move, scanners are dragged, what is unknown is told, and the connection comes back."""
    page = await browser.page(base, 1440, 900)
    await page.until("all are in rooms", f"{ROOM_OF}('Star Globe') === 'Hall 1' && document.querySelectorAll('.beacon').length === 5"
                     f" && {ROOM_OF}('Beacon 1.6') === 'Attic'")
    await page.until("the plan is there", f"{IS_PLANNED} && !document.getElementById('heat').hidden")
    await settle(page)
    await page.until("a name with markup is in its room", f"{ROOM_OF}('<b>Loom</b>') === 'قاعة الغزال'")
    check(not await page.run("document.querySelector('.board b')"), "a name became markup")
    before = await page.run("document.querySelector('.beacon[aria-label^=\"Star Globe\"]').getBoundingClientRect().x")
    tell({"wants": "move"})
    await told()
    await page.until("it is in the other hall", f"{ROOM_OF}('Star Globe') === 'Hall 2'")
    await page.until("it moves on the plan", "document.querySelector('.beacon[aria-label^=\"Star Globe\"]')"
                     f".getBoundingClientRect().x > {before} + 100")
    await page.until("it has left a trail", "!!document.querySelector('polyline.trail')")
    await page.run("[...document.querySelectorAll('.rooms button')].find(each => each.textContent === 'Beacon 1.6').click()")
    await page.until("its floor is shown", "document.querySelector('.beacon.on')?.getAttribute('aria-label') === 'Beacon 1.6 in Attic'")
    await page.run("[...document.querySelectorAll('#floors button')].find(each => each.textContent === 'Ground floor').click()")
    await page.until("the plan is back", IS_PLANNED)

    await press(page, "#arrange")
    await page.until("it can be arranged", "!document.getElementById('arranging').hidden")
    await page.run("scrollTo(0, 0)")
    await settle(page)
    x, y = await page.run(f"[{SPOT}.x + {SPOT}.width / 2, {SPOT}.y + {SPOT}.height / 2]")
    for kind, at in [("mousePressed", (x, y)), ("mouseMoved", (x + 60, y + 30)), ("mouseMoved", (x + 120, y + 60)), ("mouseReleased", (x + 120, y + 60))]:
        await page.call("Input.dispatchMouseEvent", type=kind, x=at[0], y=at[1], button="left", clickCount=1, buttons=1)
    lines = await page.until("lines are told", "document.getElementById('positions').value.includes('# pi-1') && document.getElementById('positions').value")
    scale = await page.run("document.getElementById('sheet').clientWidth / 26")
    spot = [float(each) for each in lines.split("position: [")[1].split("]")[0].split(",")]
    check(abs(spot[0] - 4 - 120 / scale) < 0.15 and abs(spot[1] - 4 - 60 / scale) < 0.15, f"dragged to {spot}, {scale} px a metre")
    check('room: "Hall 1"' in lines and "# pi-2" not in lines, f"the lines are {lines}")
    await page.press("ArrowRight")
    await page.until("the keys move it too", f"document.getElementById('positions').value.includes('[{spot[0] + 0.25:.2f}, {spot[1]:.2f}]')")
    await reload(page)
    await page.until("it is remembered", "document.getElementById('positions').value.includes('# pi-1')")
    await page.run("document.getElementById('forget').click()")
    await page.until("it is forgotten", "!document.getElementById('positions').value.includes('pi-1')")

    tell({"wants": "blind"})
    await told()
    await page.until("scanners are told", "document.getElementById('notice').textContent.includes('pi-3 is blind') && "
                     "document.getElementById('notice').textContent.includes('pi-4 is gone')")
    await page.until("what only they heard is unknown", f"{ROOM_OF}('<b>Loom</b>') === 'Unknown: scanners cannot hear'")
    await page.picture(f"{pictures}/fleet-blind.png")
    check_quiet(page, base)
    tell({"wants": "gone"})
    await told()
    await page.until("the connection is lost", f"{STATE} === 'lost'")


async def fleet_shots(browser: Browser, base: str, pictures: str, kind: str) -> None:
    """Screenshots on a phone and on a desk; nothing overflows, and the rules of axe-core hold."""
    for name, width, height in [("phone", 360, 780), ("tablet", 820, 1180), ("desk", 1440, 900)]:
        for dark in [False, True]:
            where = f"fleet-{kind}-{name}-{'dark' if dark else 'light'}"
            page = await browser.page(base, width, height, dark=dark)
            await page.until("beacons are shown", "document.querySelectorAll('.beacon').length >= 4 && document.querySelectorAll('.scanner').length === 4")
            if kind == "plan":
                await page.until("the plan is there", IS_PLANNED)
            # Shown when the page knows that there is a history.
            await page.until("heat can be chosen", "!document.getElementById('heat').hidden")
            await page.run("document.getElementById('heat').click()")
            # The history is written once a minute, and asked for once a minute.
            await page.until("dwell is shown", "!!document.querySelector('.warm')", 3 * LONGEST)
            await page.run("document.querySelector('.rooms tr:not(.room) button').click()")
            await page.until("what is chosen is shown", "!document.getElementById('chosen').hidden")
            await settle(page)
            await page.picture(f"{pictures}/{where}.png", whole=width < 600)
            wide = await page.run("document.documentElement.scrollWidth - innerWidth")
            check(wide <= 0, f"{where}: the page is {wide} px wider than the screen")
            await check_axe(page, where)
            check_quiet(page, base)
            await browser.call("Target.closeTarget", targetId=page.target)
    page = await browser.page(base, 1440, 900)
    await page.until("beacons are shown", "document.querySelectorAll('.beacon').length >= 4")
    await page.press("Tab")
    check(await page.run("document.activeElement.className") == "skip", "the first stop is not the way to the list")
    await page.press("Enter")
    await page.until("the way to the list leads there", "document.activeElement?.id === 'board'")


async def fleet_looks(browser: Browser, base: str, pictures: str) -> None:
    """With a plan."""
    await fleet_shots(browser, base, pictures, "plan")


async def fleet_bare(browser: Browser, base: str, pictures: str) -> None:
    """Without a plan: a grid of metres."""
    await fleet_shots(browser, base, pictures, "bare")


CHECKS: dict[str, Callable[[Browser, str, str], Awaitable[None]]] = {
    each.__name__: each
    for each in [walk, hostile, states, nowhere, accessible, looks, codes, token, reader, names, crowd, plain, drawing, rich, curated, fleet, fleet_looks, fleet_bare]
}


async def main(name: str, base: str, pictures: str) -> None:
    pathlib.Path(pictures).mkdir(parents=True, exist_ok=True)
    async with Browser() as browser:
        await CHECKS[name](browser, base.rstrip("/"), pictures)


if __name__ == "__main__":
    try:
        asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else "."))
    except Failure as failure:
        sys.exit(f"{sys.argv[1]}: {failure}")
