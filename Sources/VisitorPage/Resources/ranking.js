// The list of beacons in range. Rows keep their elements, and move when the order changes.

import { byID, make, prefersStillness, say } from "./dom.js";
import { distanceOf, nameOf, pathOf } from "./beacon.js";
import { isPressed } from "./press.js";

const list = byID("ranking");
const rows = new Map();

/** The most rows. A longer list is not useful in a hall full of beacons. */
const longest = 12;

/** The position of a distance on the scale from 0.3 to 30 m, in percent. It is logarithmic, because ratios matter. */
const onScale = (metres) => Math.max(0, Math.min(100, (Math.log10(metres / 0.3) / 2) * 100));

/** The nearest is the first row, whatever the order of the others. `open(beacon)` is called when a row is tapped. */
export function showRanking(beacons, nearest, open) {
  // The next ranking comes within a second.
  if (isPressed()) return;
  const first = nearest ? beacons.find((each) => pathOf(each) === pathOf(nearest)) : undefined;
  const shown = (first ? [first, ...beacons.filter((each) => each !== first)] : beacons).slice(0, longest);
  const before = new Map([...rows].map(([key, row]) => [key, row.element.offsetTop]));
  const keys = new Set(shown.map(pathOf));
  for (const [key, row] of rows) {
    if (keys.has(key)) continue;
    row.element.remove();
    rows.delete(key);
  }
  shown.forEach((beacon, index) => {
    const key = pathOf(beacon);
    if (!rows.has(key)) rows.set(key, makeRow(open));
    const row = rows.get(key);
    update(row, beacon, beacon === first);
    // Moving an element that is already in place would lose focus and restart its animations.
    if (list.children[index] !== row.element) list.insertBefore(row.element, list.children[index] ?? null);
  });
  glide(before);
  const more = beacons.length - shown.length;
  byID("ranking-more").hidden = more === 0;
  say(byID("ranking-more"), more > 0 ? `and ${more} more` : "");
  byID("ranking-empty").hidden = shown.length > 0;
  byID("scale").hidden = shown.length === 0;
}

function makeRow(open) {
  const name = make("span", { class: "row-name", dir: "auto" });
  const distance = make("span", { class: "row-distance", dir: "ltr" });
  const band = make("span", { class: "band" });
  const point = make("span", { class: "point" });
  const track = make("span", { class: "track", "aria-hidden": "true" }, band, point);
  const row = { name, distance, band, point, track, beacon: null };
  row.button = make("button", { class: "row", type: "button", onclick: () => open(row.beacon) }, name, distance, track);
  row.element = make("li", {}, row.button);
  return row;
}

function update(row, beacon, isNearest) {
  row.beacon = beacon;
  say(row.name, nameOf(beacon));
  say(row.distance, distanceOf(beacon) ?? "—");
  row.element.classList.toggle("nearest", isNearest);
  if (isNearest) row.element.setAttribute("aria-current", "true");
  else row.element.removeAttribute("aria-current");
  const known = typeof beacon.distance_m === "number" && beacon.distance_m > 0;
  row.track.classList.toggle("unknown", !known);
  if (!known) return;
  const low = onScale(beacon.distance_low_m ?? beacon.distance_m);
  const high = onScale(beacon.distance_high_m ?? beacon.distance_m);
  row.point.style.setProperty("--at", `${onScale(beacon.distance_m)}%`);
  row.band.style.setProperty("--low", `${low}%`);
  row.band.style.setProperty("--wide", `${Math.max(1, high - low)}%`);
}

/** Animates each row from its old position to the new one. */
function glide(before) {
  if (prefersStillness()) return;
  for (const [key, row] of rows) {
    const from = before.get(key);
    const to = row.element.offsetTop;
    if (from === undefined) {
      row.element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 300 });
    } else if (from !== to) {
      row.element.animate([{ transform: `translateY(${from - to}px)` }, { transform: "none" }], {
        duration: 450,
        easing: "cubic-bezier(.2,.8,.2,1)",
      });
    }
  }
}
