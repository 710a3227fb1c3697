// How long beacons were in each room, from the history.

import { byID } from "./dom.js";
import { roomKey } from "./words.js";

/** The heat is requested again after so many milliseconds. */
const age = 60_000;

let dwell = null;
let metres = [];
let timer = 0;

/** Seconds by room; null while it is off. */
export const heat = () => dwell;

/** The maximum number of square metres that are drawn on a floor. */
const mostMetres = 4000;
let ofFloor = { floor: null, metres: null, longest: [] };

/** Square metres of a floor with the longest dwell: `[x, y, seconds]`. The same array while nothing has changed. */
export function heatOf(floor) {
  if (!dwell) return [];
  if (ofFloor.floor !== floor || ofFloor.metres !== metres) {
    const here = metres.filter((each) => each[0] === floor).map((each) => each.slice(1));
    ofFloor = { floor, metres, longest: here.sort((one, other) => other[2] - one[2]).slice(0, mostMetres) };
  }
  return ofFloor.longest;
}

/** Shows the switch, and calls `redraw` when there is something new. */
export function beginHeat(redraw) {
  const button = byID("heat");
  const select = byID("heat-span");
  button.hidden = false;

  async function read() {
    clearTimeout(timer);
    if (button.getAttribute("aria-pressed") !== "true") return;
    try {
      const answer = await fetch(`v1/heat?since=${select.value}`, { cache: "no-store" });
      if (answer.ok) {
        const report = await answer.json();
        const rooms = Array.isArray(report.rooms) ? report.rooms : [];
        metres = (Array.isArray(report.metres) ? report.metres : []).filter((each) => Array.isArray(each) && each.every(Number.isFinite));
        dwell = new Map(rooms.map((each) => [roomKey(each), Number(each.dwell_s) || 0]));
        redraw();
      }
    } catch {
      // It is requested again later.
    }
    timer = setTimeout(read, age);
  }

  button.onclick = () => {
    const isOn = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(isOn));
    byID("heat-span-label").hidden = !isOn;
    if (!isOn) dwell = null;
    redraw();
    read();
  };
  select.onchange = read;
}
