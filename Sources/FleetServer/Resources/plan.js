// Draws a floor: its picture or a grid, scanners, rooms, beacons with their trails, and the heat of dwell.

import { byID, draw, make, say } from "./dom.js";
import { beaconSpots, bounds, outlinesOf, roomSpots, scannerSpots } from "./layout.js";
import { isUnsure, keyOf, nameOf, roomName, span } from "./words.js";

const sheet = byID("sheet");
const back = draw("svg", { "aria-hidden": "true", preserveAspectRatio: "none" });
const beacons = new Map();
const scanners = new Map();
const places = new Map();
let picture = null;

/** The beacons on a floor beyond which labels would hide each other, for each pixel of its width. */
const labels = 40 / 1000;

sheet.append(back);

/** The part of the floor that is drawn, in metres. */
export let box = bounds([]);

/**
 * @param floor {plan, outlines, beacons, scanners, moved, trails, chosen, heat, metres}
 * @param on {choose(key), scanner(element, name)} what is called for a click on a beacon, and for each new scanner.
 */
export function drawFloor(floor, on) {
  showPicture(floor.plan);
  const framed = floor.plan && picture?.naturalWidth
    ? { x: 0, y: 0, width: floor.plan.width_m, height: (floor.plan.width_m * picture.naturalHeight) / picture.naturalWidth }
    : null;
  const { spots, isToScale } = scannerSpots(floor.scanners, floor.moved, framed);
  const outlines = outlinesOf(floor.outlines);
  // The sheet does not change while a scanner is dragged.
  if (!sheet.querySelector(".held")) box = framed ?? bounds([...spots.values(), ...outlines.flatMap((each) => each.corners.map(([x, y]) => ({ x, y })))]);
  sheet.style.setProperty("--wide", box.width);
  sheet.style.setProperty("--high", box.height);
  back.setAttribute("viewBox", `${box.x} ${box.y} ${box.width} ${box.height}`);
  const rooms = roomSpots(floor.scanners, spots, outlines);
  // Far enough for a finger, and spread on a wide screen.
  const apart = box.width * Math.max(1 / 42, 20 / Math.max(200, sheet.clientWidth));
  const marks = beaconSpots(floor.beacons, rooms, box, apart);
  drawBack(framed, rooms, outlines, marks, floor);
  drawScanners(floor.scanners, spots, on);
  drawPlaces(rooms, floor.heat);
  drawBeacons(floor, marks, on);
  sheet.classList.toggle("crowded", floor.beacons.length > labels * Math.max(0, sheet.clientWidth - 300));
  const words = floor.scanners.length === 0 && outlines.length === 0 ? "No scanner stands on this floor."
    : !isToScale ? "Not to scale: scanners without a position stand in rows. Arrange them, or write fleet.position into their configurations."
      : framed ? "" : "One square is a metre.";
  say(byID("plan-words"), words);
  return marks;
}

/** Moves an element to a position in metres. */
export function put(element, spot) {
  element.style.setProperty("--x", `${((spot.x - box.x) / box.width) * 100}%`);
  element.style.setProperty("--y", `${((spot.y - box.y) / box.height) * 100}%`);
}

function showPicture(plan) {
  if (!plan) {
    picture?.remove();
    picture = null;
    return;
  }
  if (picture?.getAttribute("src") === plan.picture) return;
  picture?.remove();
  picture = make("img", { src: plan.picture, alt: "", draggable: "false" });
  sheet.prepend(picture);
}

// MARK: Background

let warmed = { metres: null, group: null };

/** Drawn only when it has changed, because there may be thousands. */
function warmth(metres) {
  if (warmed.metres === metres) return warmed.group;
  const most = Math.max(1, metres[0][2]);
  // Wider than a metre, so that neighbours overlap.
  const circles = metres.map(([x, y, seconds]) => draw("circle", {
    class: "warm", cx: x + 0.5, cy: y + 0.5, r: 1.4, opacity: (0.08 + 0.9 * Math.sqrt(seconds / most)).toFixed(2),
  }));
  warmed = { metres, group: draw("g", {}, circles) };
  return warmed.group;
}

function drawBack(framed, rooms, outlines, marks, floor) {
  const shapes = [];
  if (!framed) {
    const step = box.width > 120 ? 10 : 1;
    for (let x = Math.ceil(box.x / step) * step; x < box.x + box.width; x += step) {
      shapes.push(draw("path", { class: "grid", d: `M${x} ${box.y}v${box.height}` }));
    }
    for (let y = Math.ceil(box.y / step) * step; y < box.y + box.height; y += step) {
      shapes.push(draw("path", { class: "grid", d: `M${box.x} ${y}h${box.width}` }));
    }
  }
  for (const outline of outlines) {
    shapes.push(draw("polygon", { class: "outline", points: outline.corners.map(([x, y]) => `${x},${y}`).join(" ") }));
  }
  if (floor.heat) {
    shapes.push(draw("defs", {}, draw("radialGradient", { id: "warm" },
      draw("stop", { offset: "0", class: "warmest" }), draw("stop", { offset: "1", class: "coolest" }))));
  }
  if (floor.heat && floor.metres.length > 0) {
    shapes.push(warmth(floor.metres));
  } else if (floor.heat) {
    const most = Math.max(1, ...[...rooms.keys()].map((key) => floor.heat.get(key) ?? 0));
    for (const [key, room] of rooms) {
      const share = (floor.heat.get(key) ?? 0) / most;
      if (share <= 0) continue;
      shapes.push(draw("circle", { class: "warm", cx: room.x, cy: room.y, r: (box.width / 5) * (0.25 + 0.75 * Math.sqrt(share)), opacity: 0.3 + 0.7 * share }));
    }
  }
  for (const [key, mark] of marks) {
    if (mark.within) shapes.push(draw("circle", { class: "within", cx: mark.x, cy: mark.y, r: Math.min(mark.within, box.width) }));
    const trail = floor.trails?.(key) ?? [];
    if (trail.length > 1) {
      shapes.push(draw("polyline", { class: key === floor.chosen ? "trail on" : "trail", points: trail.map((each) => `${each.x},${each.y}`).join(" ") }));
    }
  }
  back.replaceChildren(...shapes);
}

// MARK: Scanners, rooms, beacons

/** Reuses elements, so that focus and animations continue. Those that are no longer needed are removed. */
function keep(elements, keys) {
  for (const [key, element] of elements) {
    if (keys.has(key)) continue;
    element.remove();
    elements.delete(key);
  }
}

const states = { ok: "can hear", blind: "is blind", gone: "is gone" };

function drawScanners(all, spots, on) {
  keep(scanners, new Set(all.map((each) => each.scanner)));
  for (const scanner of all) {
    const name = scanner.scanner;
    if (!scanners.has(name)) {
      const label = make("span", { class: "label", dir: "auto" });
      const element = make("button", { type: "button", class: "scanner" }, label);
      scanners.set(name, element);
      sheet.append(element);
      on.scanner(element, name);
    }
    const element = scanners.get(name);
    const state = states[scanner.state] ? scanner.state : "gone";
    element.classList.toggle("blind", state === "blind");
    element.classList.toggle("gone", state === "gone");
    const words = state === "ok" ? `${name}` : `${name} ${states[state]}`;
    say(element.firstElementChild, words);
    element.setAttribute("aria-label", `Scanner ${name} in ${roomName(scanner.room)}, ${states[state]}`);
    if (!element.classList.contains("held")) put(element, spots.get(name));
  }
}

function drawPlaces(rooms, heat) {
  keep(places, new Set(rooms.keys()));
  for (const [key, room] of rooms) {
    if (!places.has(key)) {
      const element = make("p", { class: "place", dir: "auto" }, make("bdi"), make("span", { class: "warmth" }));
      places.set(key, element);
      sheet.append(element);
    }
    const element = places.get(key);
    say(element.firstElementChild, roomName(room.place.room));
    say(element.lastElementChild, heat ? span(heat.get(key) ?? 0) : "");
    put(element, room);
  }
}

function drawBeacons(floor, marks, on) {
  const shown = floor.beacons.filter((each) => marks.has(keyOf(each)));
  keep(beacons, new Set(shown.map(keyOf)));
  for (const beacon of shown) {
    const key = keyOf(beacon);
    if (!beacons.has(key)) {
      const element = make("button", { type: "button", class: "beacon", onclick: () => on.choose(key) }, make("span", { class: "label", dir: "auto" }));
      beacons.set(key, element);
      sheet.append(element);
    }
    const element = beacons.get(key);
    const mark = marks.get(key);
    say(element.firstElementChild, nameOf(beacon));
    element.setAttribute("aria-label", `${nameOf(beacon)} in ${roomName(beacon.room)}`);
    element.classList.toggle("on", key === floor.chosen);
    element.classList.toggle("unsure", isUnsure(beacon.probability));
    element.classList.toggle("leftward", mark.x - box.x > box.width * 0.72);
    put(element, mark);
  }
}

