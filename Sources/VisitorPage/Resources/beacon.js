// Turns the events' data about beacons into words.

import { text } from "./dom.js";

/** The identity as a path of the API; null means "no beacon is near". */
export const pathOf = (beacon) =>
  beacon ? `/v1/content/${encodeURIComponent(beacon.uuid)}/${Number(beacon.major)}/${Number(beacon.minor)}` : "/v1/content/uncategorized";

export const nameOf = (beacon) => text(beacon.name, 200) ?? `Beacon ${beacon.major}.${beacon.minor}`;

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
