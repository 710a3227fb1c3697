// Places scanners by dragging. Only this browser remembers the places. The page shows the lines for the configurations.

import { byID, say } from "./dom.js";
import { box, put } from "./plan.js";

const store = "beacon-fleet.positions";
const sheet = byID("sheet");
const plan = byID("plan");

/** Scanners that were moved here, by name. */
export const moved = new Map(load());

let scanners = [];
let changed = () => {};

function load() {
  try {
    const kept = JSON.parse(localStorage.getItem(store) ?? "[]");
    return kept.filter(([name, spot]) => typeof name === "string" && Number.isFinite(spot?.x) && Number.isFinite(spot?.y)).slice(0, 512);
  } catch {
    // The entry is of another program, or there is no storage.
    return [];
  }
}

function save() {
  try {
    localStorage.setItem(store, JSON.stringify([...moved]));
  } catch {
    // Without storage, they are kept until the page is closed.
  }
}

export const isArranging = () => plan.classList.contains("arrange");

/** Calls `redraw` when something was moved. */
export function beginArranging(redraw) {
  changed = redraw;
  byID("arrange").onclick = () => {
    const isOn = plan.classList.toggle("arrange");
    byID("arrange").setAttribute("aria-pressed", String(isOn));
    byID("arranging").hidden = !isOn;
    redraw();
  };
  byID("forget").onclick = () => {
    moved.clear();
    save();
    showLines();
    redraw();
  };
  byID("copy").onclick = async () => {
    const field = byID("positions");
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      // The clipboard is not allowed. The selected text can be copied by hand.
      field.select();
      say(byID("copied"), "Press Ctrl-C");
      return;
    }
    say(byID("copied"), "Copied");
  };
}

/** Takes the scanners' own places. A scanner whose configuration has the new place no longer counts as moved. */
export function noteScanners(all) {
  scanners = all;
  for (const scanner of all) {
    const spot = moved.get(scanner.scanner);
    if (spot && Math.abs(spot.x - scanner.x) < 0.006 && Math.abs(spot.y - scanner.y) < 0.006) moved.delete(scanner.scanner);
  }
  save();
  showLines();
}

function showLines() {
  const field = byID("positions");
  const lines = scanners.filter((each) => moved.has(each.scanner)).map((scanner) => {
    const { x, y } = moved.get(scanner.scanner);
    // A quoted text is the same in JSON and in YAML.
    return `# ${scanner.scanner}\nfleet:\n  room: ${JSON.stringify(scanner.room)}\n  floor: ${scanner.floor}\n  position: [${x.toFixed(2)}, ${y.toFixed(2)}]\n`;
  });
  const text = lines.join("\n") || "# No scanner was moved.";
  if (field.value !== text) field.value = text;
}

function move(name, spot) {
  const round = (metres) => Math.round(metres * 20) / 20;
  moved.set(name, {
    x: round(Math.min(Math.max(spot.x, box.x), box.x + box.width)),
    y: round(Math.min(Math.max(spot.y, box.y), box.y + box.height)),
  });
  save();
  showLines();
}

/** Makes a scanner on the plan movable. */
export function makeMovable(element, name) {
  const metres = (event) => {
    const frame = sheet.getBoundingClientRect();
    return { x: box.x + ((event.clientX - frame.x) / frame.width) * box.width, y: box.y + ((event.clientY - frame.y) / frame.height) * box.height };
  };
  element.addEventListener("pointerdown", (event) => {
    if (!isArranging()) return;
    event.preventDefault();
    element.focus();
    element.setPointerCapture(event.pointerId);
    element.classList.add("held");
  });
  element.addEventListener("pointermove", (event) => {
    if (!element.classList.contains("held")) return;
    move(name, metres(event));
    put(element, moved.get(name));
  });
  for (const kind of ["pointerup", "pointercancel"]) {
    element.addEventListener(kind, () => {
      if (!element.classList.contains("held")) return;
      element.classList.remove("held");
      changed();
    });
  }
  element.addEventListener("keydown", (event) => {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const step = steps[event.key];
    if (!isArranging() || !step) return;
    event.preventDefault();
    const from = moved.get(name) ?? spotOf(element);
    const far = event.shiftKey ? 1 : 0.25;
    move(name, { x: from.x + step[0] * far, y: from.y + step[1] * far });
    changed();
  });
}

function spotOf(element) {
  const share = (property) => Number.parseFloat(element.style.getPropertyValue(property)) / 100;
  return { x: box.x + share("--x") * box.width, y: box.y + share("--y") * box.height };
}
