// The list: beacons by room, those whose room is unknown, and the scanners.

import { byID, make, say, text } from "./dom.js";
import { clock, floorName, isUnsure, keyOf, nameOf, percent, problems, reasons, roomKey, roomName } from "./words.js";

const table = document.querySelector(".rooms");
const groups = new Map();
const rows = new Map();

/** The maximum number of rows. The search by name finds the others. */
const mostRows = 400;

/**
 * @param fleet {beacons, scanners, plans, chosen}
 * @param choose(key) is called for a click on a beacon.
 */
export function showBoard(fleet, choose) {
  const wanted = byID("search").value.trim().toLowerCase();
  const fits = (...texts) => !wanted || texts.some((each) => each.toLowerCase().includes(wanted));
  const floors = new Set([...fleet.scanners, ...fleet.rooms].map((each) => each.floor));
  const rooms = new Map();
  for (const place of [...fleet.scanners, ...fleet.rooms]) rooms.set(roomKey(place), { place, beacons: [] });
  const unknown = new Map(Object.keys(reasons).map((reason) => [reason, []]));
  for (const beacon of fleet.beacons) {
    const isKnown = typeof beacon.room === "string";
    const where = isKnown ? roomName(beacon.room) : reasons[beacon.unknown] ?? reasons.undecided;
    if (!fits(nameOf(beacon), where, `${beacon.major}.${beacon.minor}`)) continue;
    if (!isKnown) (unknown.get(beacon.unknown) ?? unknown.get("undecided")).push(beacon);
    else {
      if (!rooms.has(roomKey(beacon))) rooms.set(roomKey(beacon), { place: beacon, beacons: [] });
      rooms.get(roomKey(beacon)).beacons.push(beacon);
    }
  }
  const order = [...rooms].sort(([, one], [, other]) => one.place.floor - other.place.floor || one.place.room.localeCompare(other.place.room, undefined, { numeric: true }));
  const wantedGroups = [
    ...order.filter(([, each]) => each.beacons.length > 0 || fits(roomName(each.place.room))).map(([key, { place, beacons }]) => ({
      key: `room ${key}`, kind: beacons.length ? "" : "nobody", title: roomName(place.room),
      more: floors.size > 1 ? floorName(place.floor, fleet.plans) : "", beacons,
    })),
    ...[...unknown].filter(([, beacons]) => beacons.length).map(([reason, beacons]) => ({
      key: `unknown ${reason}`, kind: "unknown", title: reasons[reason], more: "", beacons,
    })),
  ];
  showGroups(wantedGroups, fleet.chosen, choose, fleet.health);
  const isNothing = fleet.beacons.length === 0 || wantedGroups.length === 0;
  byID("empty").hidden = !isNothing;
  say(byID("empty"), fleet.beacons.length === 0 ? "No beacon has been heard yet." : isNothing ? "Nothing is called like this." : "");
  showScanners(fleet.scanners);
}

function showGroups(wanted, chosen, choose, health) {
  const keys = new Set(wanted.map((each) => each.key));
  for (const [key, group] of groups) {
    if (keys.has(key)) continue;
    group.body.remove();
    groups.delete(key);
  }
  const shown = new Set();
  let left = mostRows;
  wanted.forEach((each, index) => {
    if (!groups.has(each.key)) groups.set(each.key, makeGroup());
    const group = groups.get(each.key);
    say(group.title, each.title);
    say(group.more, each.more);
    group.more.hidden = !each.more;
    const count = each.beacons.length;
    say(group.count, count === 1 ? "1 beacon" : `${count || "no"} beacons`);
    group.row.className = `room ${each.kind}`;
    const sorted = [...each.beacons].sort((one, other) => nameOf(one).localeCompare(nameOf(other), undefined, { numeric: true }) || (keyOf(one) < keyOf(other) ? -1 : 1));
    const elements = sorted.slice(0, left).map((beacon) => {
      const key = keyOf(beacon);
      shown.add(key);
      if (!rows.has(key)) rows.set(key, makeRow(key, choose));
      updateRow(rows.get(key), beacon, key === chosen, health.get(key));
      return rows.get(key).element;
    });
    left -= elements.length;
    place(group.body, [group.row, ...elements]);
    if (table.tBodies[index] !== group.body) table.insertBefore(group.body, table.tBodies[index] ?? null);
  });
  for (const [key, row] of rows) {
    if (shown.has(key)) continue;
    row.element.remove();
    rows.delete(key);
  }
}

/** Moving an element that is already in place would lose the focus. */
function place(body, elements) {
  elements.forEach((element, index) => {
    if (body.children[index] !== element) body.insertBefore(element, body.children[index] ?? null);
  });
  while (body.children.length > elements.length) body.lastElementChild.remove();
}

function makeGroup() {
  const [title, more, count] = [make("bdi"), make("span", { class: "quiet" }), make("span", { class: "count" })];
  const row = make("tr", { class: "room" }, make("th", { scope: "rowgroup", colspan: 3 }, make("span", { class: "line" }, title, more, count)));
  return { title, more, count, row, body: make("tbody", {}, row) };
}

function makeRow(key, choose) {
  const button = make("button", { type: "button", dir: "auto", onclick: () => choose(key) });
  const trouble = make("span", { class: "trouble" });
  const [certainty, since] = [make("td"), make("td")];
  return { button, trouble, certainty, since, element: make("tr", {}, make("th", { scope: "row" }, button, trouble), certainty, since) };
}

/** A short text about what is wrong with a beacon; empty if nothing is. */
const troubleOf = (health) => (health?.problems ?? []).map((each) => problems[each.kind] ?? String(each.kind)).join(", ");

function updateRow(row, beacon, isChosen, health) {
  const name = nameOf(beacon);
  say(row.button, name);
  if (row.button.title !== name) row.button.title = name;
  row.button.setAttribute("aria-pressed", String(isChosen));
  say(row.trouble, troubleOf(health));
  say(row.certainty, percent(beacon.probability));
  row.certainty.classList.toggle("unsure", isUnsure(beacon.probability));
  say(row.since, clock(beacon.since));
}

const states = { ok: "hears", blind: "blind", gone: "gone" };

function showScanners(all) {
  const list = byID("scanners");
  // Those with problems come first.
  const sorted = [...all].sort((one, other) => (one.state === "ok") - (other.state === "ok") || one.scanner.localeCompare(other.scanner, undefined, { numeric: true }));
  while (list.children.length > sorted.length) list.lastElementChild.remove();
  sorted.forEach((scanner, index) => {
    if (!list.children[index]) {
      list.append(make("li", {}, make("span", { class: "mark", "aria-hidden": "true" }),
        make("span", { class: "what" }, make("bdi"), " ", make("span", {}, make("bdi"))), make("span", { class: "how" })));
    }
    const row = list.children[index];
    const state = states[scanner.state] ? scanner.state : "gone";
    row.className = state;
    const [name, room] = row.querySelectorAll("bdi");
    say(name, scanner.scanner);
    say(room, roomName(scanner.room));
    const offset = typeof scanner.clock_ms === "number" && Math.abs(scanner.clock_ms) >= 1000 ? `, clock ${(scanner.clock_ms / 1000).toFixed(0)} s` : "";
    say(row.lastElementChild, (state === "ok" ? states[state] : `${states[state]} since ${clock(scanner.since)}`) + offset);
  });
}

/** What is known of one beacon. */
export function showChosen(beacon, plans, health) {
  const element = byID("chosen");
  element.hidden = !beacon;
  if (!beacon) return;
  const name = make("strong", {}, make("bdi", {}, nameOf(beacon)));
  const where = typeof beacon.room === "string"
    ? make("div", {}, make("bdi", {}, roomName(beacon.room)))
    : make("div", {}, reasons[beacon.unknown] ?? reasons.undecided);
  const how = typeof beacon.room === "string" ? `${floorName(beacon.floor, plans)}, ${percent(beacon.probability)}, ` : "";
  const spot = typeof beacon.x === "number" && typeof beacon.y === "number"
    ? make("span", {}, `At ${beacon.x.toFixed(1)} m, ${beacon.y.toFixed(1)} m${typeof beacon.within === "number" ? `, within ${beacon.within.toFixed(1)} m` : ""}`) : null;
  const troubles = (health?.problems ?? []).map((each) => make("span", { class: "trouble" },
    `${problems[each.kind] ?? each.kind} since ${clock(each.since)}: `, make("bdi", {}, text(each.evidence, 300) ?? "")));
  element.replaceChildren(name, where, make("span", {}, `${how}since ${clock(beacon.since)}`), ...(spot ? [spot] : []), ...troubles,
    make("span", {}, `${beacon.uuid} ${beacon.major}.${beacon.minor}`));
}
