// Turns the events' data about beacons into words.

import { text } from "./dom.js";

/** The identity as a path of the API; null means "no beacon is near". */
export const pathOf = (beacon) =>
  beacon ? `v1/content/${encodeURIComponent(beacon.uuid)}/${Number(beacon.major)}/${Number(beacon.minor)}` : "v1/content/uncategorized";

export const nameOf = (beacon) =>
  translated.get(pathOf(beacon)) ?? text(beacon.name, 200) ?? `Beacon ${beacon.major}.${beacon.minor}`;

/** Names in the visitor's language by path, as far as their content was shown. */
const translated = new Map();
const mostNames = 256;

/** Notes a beacon's name in the visitor's language; null if the events' own name is right. */
export function translate(beacon, name) {
  translated.delete(pathOf(beacon));
  if (name === null) return;
  translated.set(pathOf(beacon), name);
  if (translated.size > mostNames) translated.delete(translated.keys().next().value);
}

export const isSame = (one, other) => pathOf(one) === pathOf(other);

const words = new Map([["immediate", "right here"], ["near", "close by"], ["far", "farther away"]]);

/** "1.2 m", "14 m"; null if it is unknown. */
export function distanceOf(ranked) {
  const metres = ranked?.distance_m;
  if (typeof metres !== "number") return null;
  return metres < 9.95 ? `${metres.toFixed(1)} m` : `${Math.round(metres)} m`;
}

/** "about 1.2 m away, close by". */
export function whereabouts(ranked) {
  if (!ranked) return "";
  const distance = distanceOf(ranked);
  const word = words.get(ranked.proximity);
  return [distance ? `about ${distance} away` : null, word].filter(Boolean).join(" · ");
}
