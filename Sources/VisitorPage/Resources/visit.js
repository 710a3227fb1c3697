// Decides which place is shown: the nearest, unless the visitor reads about another. Then the nearest is offered.

import { byID, isKiosk, make, quote } from "./dom.js";
import { isSame, nameOf } from "./beacon.js";
import { openDialog } from "./dialogs.js";
import { rename, setStanding, showPlace, shownPlace } from "./here.js";
import { isPressed } from "./press.js";

/** After so many milliseconds without a touch, the visitor has left or only watches. */
const idle = 60_000;
/** A visitor who has scrolled farther than so many pixels is reading. */
const top = 120;

/** undefined before the first ranking, null where no beacon is near. */
let nearest;
let isChosen = false;
let isOffered = false;
let touchedAt = -idle;

for (const kind of ["pointerdown", "keydown", "wheel", "touchmove"]) {
  addEventListener(kind, () => (touchedAt = performance.now()), { passive: true, capture: true });
}
document.addEventListener("dialog-changed", showOffer);

/** Takes the next ranking. */
export function showNearest(next) {
  const shown = shownPlace();
  // The next ranking comes within a second.
  if (shown !== undefined && isPressed()) return;
  nearest = next;
  if (shown !== undefined && isSame(shown, next)) {
    isChosen = isOffered = false;
    rename(next);
  } else if (shown === undefined || !isReading()) {
    go(next);
  } else {
    isOffered = next !== null;
  }
  showStanding();
}

/** Shows another place, because the visitor has asked for it. */
export function openPlace(beacon) {
  // Screen readers and voice control click without a touch or a key.
  touchedAt = performance.now();
  isChosen = nearest === undefined || !isSame(nearest, beacon);
  go(beacon);
  isOffered = isChosen && Boolean(nearest);
  showStanding();
  byID("here").focus({ preventScroll: true });
}

function go(place) {
  isOffered = false;
  const shown = shownPlace();
  if (shown === undefined || !isSame(shown, place)) showPlace(place);
  if (scrollY > 0) scrollTo({ top: 0, behavior: "instant" });
}

/** While a visitor reads, the place must not change. */
function isReading() {
  if (isKiosk()) return false;
  const isAtWork = performance.now() - touchedAt < idle;
  return (
    openDialog() !== null ||
    scrollY > top ||
    [...document.querySelectorAll("video, audio")].some((each) => !each.paused) ||
    (isAtWork && (isChosen || isOffered || byID("content").contains(document.activeElement))) ||
    !(getSelection()?.isCollapsed ?? true)
  );
}

function showStanding() {
  const shown = shownPlace();
  const isNearest = nearest === undefined || shown === undefined || isSame(shown, nearest);
  if (isNearest) isChosen = false;
  setStanding(isNearest ? "nearest" : isChosen ? "chosen" : "passed");
  showOffer();
}

/** "Whale Skeleton is nearer: show", last on the page, or in the open dialog. */
function showOffer() {
  const offer = byID("offer");
  const place = openDialog() ?? document.body;
  if (offer.parentElement !== place) place.append(offer);
  offer.hidden = !isOffered || !nearest;
  if (offer.hidden) {
    offer.replaceChildren();
    return;
  }
  const name = nameOf(nearest);
  if (offer.querySelector("bdi")?.textContent === name) return;
  offer.replaceChildren(make("button", { type: "button", onclick: () => openPlace(nearest) }, quote(name), " is nearer: show"));
}
