// Connects the event stream to the plan and to the list.

import { byID, make, say } from "./dom.js";
import { follow } from "./feed.js";
import { beginArranging, makeMovable, moved, noteScanners } from "./arrange.js";
import { showBoard, showChosen } from "./board.js";
import { beginHeat, heat, heatOf } from "./heat.js";
import { drawFloor } from "./plan.js";
import { isPressed } from "./press.js";
import { clock, floorName, keyOf } from "./words.js";

const fleet = { beacons: new Map(), scanners: [], plans: new Map(), rooms: [], health: new Map(), floor: null, chosen: null, connection: "connecting", since: new Date() };

// MARK: Trails

/** Trails reach back so many milliseconds, and have at most so many points. */
const trailTime = 300_000;
const trailPoints = 120;
const trails = new Map();

function noteTrails(marks) {
  const now = Date.now();
  for (const [key, mark] of marks) {
    const trail = trails.get(key) ?? [];
    const last = trail.at(-1);
    const point = { x: mark.x, y: mark.y, room: mark.room, floor: fleet.floor, time: now };
    // Within a room the drawn position has no meaning.
    const isSame = last?.floor === point.floor && (mark.room ? last.room === mark.room : Math.hypot(last.x - mark.x, last.y - mark.y) < 0.3);
    if (isSame) Object.assign(last, { x: point.x, y: point.y });
    else trail.push(point);
    // The last point stays, because the beacon is there.
    while (trail.length > trailPoints || (trail.length > 1 && now - trail[1].time > trailTime)) trail.shift();
    trails.set(key, trail);
  }
  for (const key of trails.keys()) if (!fleet.beacons.has(key)) trails.delete(key);
}

const trailOf = (key) => (trails.get(key) ?? []).filter((each) => each.floor === fleet.floor);
const hasTrails = () => byID("trails").getAttribute("aria-pressed") === "true";

// MARK: Drawing

let isDue = false;

/** Draws once for all messages that come together. */
function redraw() {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    if (isPressed()) setTimeout(redraw, 100);
    else show();
  });
}

function show() {
  const beacons = [...fleet.beacons.values()];
  const floors = [...new Set([...fleet.scanners, ...fleet.rooms].map((each) => each.floor).concat([...fleet.plans.keys()]))].sort((one, other) => other - one);
  if (!floors.includes(fleet.floor)) fleet.floor = floors.includes(0) ? 0 : floors.at(-1) ?? 0;
  showFloors(floors);
  const marks = drawFloor({
    plan: fleet.plans.get(fleet.floor), outlines: fleet.rooms.filter((each) => each.floor === fleet.floor), moved, heat: heat(), metres: heatOf(fleet.floor), chosen: fleet.chosen,
    scanners: fleet.scanners.filter((each) => each.floor === fleet.floor),
    beacons: beacons.filter((each) => typeof each.room === "string" && each.floor === fleet.floor),
    trails: hasTrails() ? trailOf : null,
  }, { choose, scanner: makeMovable });
  noteTrails(marks);
  showBoard({ ...fleet, beacons }, choose);
  showChosen(fleet.beacons.get(fleet.chosen), fleet.plans, fleet.health.get(fleet.chosen));
  showFigures(beacons);
  showState();
}

function choose(key) {
  fleet.chosen = fleet.chosen === key ? null : key;
  const beacon = fleet.beacons.get(fleet.chosen);
  if (beacon && typeof beacon.room === "string") fleet.floor = beacon.floor;
  redraw();
}

function showFloors(floors) {
  const list = byID("floors");
  if (list.dataset.floors !== `${floors} ${[...fleet.plans.keys()]}`) {
    list.dataset.floors = `${floors} ${[...fleet.plans.keys()]}`;
    list.replaceChildren(...floors.map((floor) => make("button", {
      type: "button", dir: "auto", "data-floor": floor, title: floorName(floor, fleet.plans),
      onclick: () => {
        fleet.floor = floor;
        redraw();
      },
    }, floorName(floor, fleet.plans))));
  }
  for (const button of list.children) button.setAttribute("aria-pressed", String(Number(button.dataset.floor) === fleet.floor));
}

function showFigures(beacons) {
  const known = beacons.filter((each) => typeof each.room === "string").length;
  const bad = fleet.scanners.filter((each) => each.state !== "ok").length;
  const parts = [
    [beacons.length, beacons.length === 1 ? "beacon" : "beacons", false], [known, "in rooms", false],
    [beacons.length - known, "unknown", false], [fleet.scanners.length, fleet.scanners.length === 1 ? "scanner" : "scanners", false],
    ...(bad ? [[bad, "cannot hear", true]] : []),
    ...(fleet.health.size ? [[fleet.health.size, fleet.health.size === 1 ? "with a problem" : "with problems", true]] : []),
  ];
  const text = parts.map(([count, words]) => `${count} ${words}`).join();
  if (byID("figures").dataset.text === text) return;
  byID("figures").dataset.text = text;
  byID("figures").replaceChildren(...parts.map(([count, words, isBad]) => make("li", { class: isBad ? "bad" : null }, make("b", {}, String(count)), ` ${words}`)));
}

// MARK: The state of the connection and of the scanners

const words = { connecting: "Connecting…", live: "Live", lost: "Offline", denied: "Not allowed", late: "Behind", broker: "No broker" };

function showState() {
  const isLate = fleet.connection === "live" && fleet.second && Date.now() - Date.parse(fleet.second) > 30_000;
  const name = fleet.connection === "live" && fleet.isBrokerThere === false ? "broker" : isLate ? "late" : fleet.connection;
  byID("state").dataset.state = name;
  say(byID("state-text"), words[name]);
  const notices = [];
  if (name === "lost") notices.push(`The connection was lost at ${clock(fleet.since)}. What is shown is from then. It is tried again by itself.`);
  if (name === "denied") notices.push("This page needs the token: open it with the address that has it.");
  if (name === "broker") notices.push(`The broker is away${fleet.second ? `: what is shown is from ${clock(fleet.second)}` : ""}. It is tried again by itself.`);
  if (name === "late") notices.push(`What is shown is from ${clock(fleet.second)}: no scanner or broker has told anything since.`);
  const bad = fleet.scanners.filter((each) => each.state !== "ok");
  if (bad.length > 0) {
    const names = bad.slice(0, 5).map((each) => `${each.scanner} ${each.state === "blind" ? "is blind" : "is gone"}`).join(", ");
    notices.push(`${names}${bad.length > 5 ? ` and ${bad.length - 5} more` : ""}: what only ${bad.length === 1 ? "it" : "they"} could hear is unknown.`);
  }
  byID("notice").hidden = notices.length === 0;
  say(byID("notice"), notices.join(" "));
}

// MARK: Messages

function take(rooms) {
  for (const beacon of rooms) {
    if (typeof beacon?.uuid === "string") fleet.beacons.set(keyOf(beacon), beacon);
  }
}

async function read(path) {
  const answer = await fetch(path, { cache: "no-store" });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

async function readScanners() {
  try {
    const { scanners } = await read("v1/scanners");
    fleet.scanners = Array.isArray(scanners) ? scanners : [];
    noteScanners(fleet.scanners);
    redraw();
  } catch {
    setTimeout(readScanners, 5000);
  }
}

/** Problems change slowly, so they are requested only now and then. */
async function readHealth() {
  try {
    const { beacons } = await read("v1/health?problems=1");
    await readPlans();
    fleet.health = new Map((Array.isArray(beacons) ? beacons : []).map((each) => [keyOf(each), each]));
    redraw();
  } catch {
    // It is requested again later.
  }
  setTimeout(readHealth, 30_000);
}

/** Rooms may be drawn while the page is open. */
async function readPlans() {
  const { plans, rooms } = await read("v1/plans");
  fleet.plans = new Map((Array.isArray(plans) ? plans : []).map((each) => [each.floor, each]));
  fleet.rooms = Array.isArray(rooms) ? rooms : [];
  redraw();
}

async function begin() {
  try {
    await readPlans();
    if ((await read("v1/status")).history) beginHeat(redraw);
  } catch {
    // Without plans there is a grid. The event stream shows what is wrong.
  }
  redraw();
}

follow({
  connection(connection) {
    if (connection !== fleet.connection) fleet.since = new Date();
    fleet.connection = connection;
    if (connection === "live") {
      fleet.isFresh = true;
      readScanners();
    }
    redraw();
  },
  event(kind, data) {
    if (kind === "scanner" || kind === "missed") readScanners();
    if (kind === "rooms" && Array.isArray(data.rooms)) {
      // A new stream begins with the whole state.
      if (fleet.isFresh) fleet.beacons.clear();
      fleet.isFresh = false;
      fleet.second = data.second;
      fleet.isBrokerThere = data.connected !== false;
      take(data.rooms);
    }
    redraw();
  },
}, ["rooms", "room", "scanner", "missed"]);

byID("trails").onclick = () => {
  byID("trails").setAttribute("aria-pressed", String(!hasTrails()));
  redraw();
};
byID("search").oninput = redraw;
beginArranging(redraw);
begin();
readHealth();
// The size of the sheet depends on the picture, once it is loaded.
byID("sheet").addEventListener("load", redraw, true);
