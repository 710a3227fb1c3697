// Where things are drawn: metres on a floor's plan.

import { keyOf, roomKey } from "./words.js";

/** Metres around scanners where there is no picture. */
const margin = 4;
/** Metres between rooms if nothing was measured. */
const spacing = 9;

/**
 * The positions of scanners on a floor, by name: measured, put there in this browser, or in rows where neither is
 * known. `isToScale` is false if some are only in rows.
 */
export function scannerSpots(scanners, moved, box) {
  const spots = new Map();
  for (const scanner of scanners) {
    const spot = moved.get(scanner.scanner) ?? (typeof scanner.x === "number" && typeof scanner.y === "number" ? scanner : null);
    if (spot) spots.set(scanner.scanner, { x: spot.x, y: spot.y });
  }
  const rest = scanners.filter((each) => !spots.has(each.scanner));
  const isToScale = rest.length === 0;
  const columns = Math.max(1, Math.ceil(Math.sqrt(rest.length * 1.5)));
  const [left, top] = rowsBegin([...spots.values()], box);
  const step = box ? Math.min(spacing, box.width / (columns + 1)) : spacing;
  rest.forEach((scanner, index) => {
    const at = { x: left + (index % columns) * step, y: top + Math.floor(index / columns) * step };
    spots.set(scanner.scanner, box ? inside(at, box) : at);
  });
  return { spots, isToScale };
}

function rowsBegin(known, box) {
  if (box) return [box.width / 12, box.height / 8];
  if (known.length === 0) return [0, 0];
  return [Math.min(...known.map((each) => each.x)), Math.max(...known.map((each) => each.y)) + spacing];
}

const inside = ({ x, y }, box) => ({ x: Math.min(Math.max(x, box.x), box.x + box.width), y: Math.min(Math.max(y, box.y), box.y + box.height) });

/** The middle of an outline. */
function middle(corners) {
  const sum = corners.reduce((all, [x, y]) => ({ x: all.x + x, y: all.y + y }), { x: 0, y: 0 });
  return { x: sum.x / corners.length, y: sum.y / corners.length };
}

/** The corners of the rooms that have an outline: `[{key, place, corners: [[x, y]…]}]`. */
export function outlinesOf(rooms) {
  const isPoint = (each) => Array.isArray(each) && Number.isFinite(each[0]) && Number.isFinite(each[1]);
  return rooms.filter((each) => Array.isArray(each.corners) && each.corners.length >= 3 && each.corners.every(isPoint))
    .map((each) => ({ key: roomKey(each), place: each, corners: each.corners }));
}

/** The area that is drawn of a floor without a picture, in metres. */
export function bounds(spots) {
  const all = [...spots];
  if (all.length === 0) return { x: 0, y: 0, width: 12, height: 8 };
  const [xs, ys] = [all.map((each) => each.x), all.map((each) => each.y)];
  const [left, top] = [Math.min(...xs) - margin, Math.min(...ys) - margin];
  const width = Math.max(12, Math.max(...xs) + margin - left);
  // Neither too wide nor too high.
  const height = Math.min(Math.max(Math.max(...ys) + margin - top, width / 3), width * 1.5);
  return { x: left, y: top, width, height };
}

/** The middle of each room: of its outline, or of its scanners. */
export function roomSpots(scanners, spots, outlines) {
  const drawn = new Map(outlines.map((each) => [each.key, { ...middle(each.corners), place: each.place }]));
  const sums = new Map();
  for (const scanner of scanners) {
    const spot = spots.get(scanner.scanner);
    if (!spot) continue;
    const sum = sums.get(roomKey(scanner)) ?? { x: 0, y: 0, count: 0, place: scanner };
    sums.set(roomKey(scanner), { x: sum.x + spot.x, y: sum.y + spot.y, count: sum.count + 1, place: sum.place });
  }
  return new Map([...[...sums].map(([key, sum]) => [key, { x: sum.x / sum.count, y: sum.y / sum.count, place: sum.place }]), ...drawn]);
}

/**
 * Where beacons are drawn: at their place if it is known, otherwise around the middle of `room`, `apart` metres from
 * each other.
 */
export function beaconSpots(beacons, rooms, box, apart) {
  const spots = new Map();
  const crowd = new Map();
  const sorted = [...beacons].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  for (const beacon of sorted) {
    if (typeof beacon.x === "number" && typeof beacon.y === "number") {
      spots.set(keyOf(beacon), { x: beacon.x, y: beacon.y, within: typeof beacon.within === "number" ? beacon.within : null, room: null });
      continue;
    }
    const room = rooms.get(roomKey(beacon));
    if (!room) continue;
    const index = crowd.get(roomKey(beacon)) ?? 0;
    crowd.set(roomKey(beacon), index + 1);
    // In a sunflower's spiral each has room, and none moves when another one is added.
    const distance = apart * Math.sqrt(index + 1.6);
    const angle = 2.399963 * (index + 1) - Math.PI / 2;
    const spot = inside({ x: room.x + distance * Math.cos(angle), y: room.y - distance * Math.sin(angle) }, box);
    spots.set(keyOf(beacon), { ...spot, within: null, room: roomKey(beacon) });
  }
  return spots;
}
