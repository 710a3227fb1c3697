// Texts about beacons, rooms and times.

import { text } from "./dom.js";

export const keyOf = (beacon) => `${beacon.uuid}/${beacon.major}/${beacon.minor}`;

export const nameOf = (beacon) => text(beacon.name, 200) ?? `Beacon ${beacon.major}.${beacon.minor}`;

/** Rooms of the same name on two floors are different rooms. */
export const roomKey = (place) => `${place.floor}/${place.room}`;

export const roomName = (room) => text(room, 200) ?? "?";

export const floorName = (floor, plans) => text(plans.get(floor)?.name, 200) ?? `Floor ${floor}`;

/** Texts that say why there is no room. */
export const reasons = {
  "not heard": "Unknown: not heard",
  blind: "Unknown: scanners cannot hear",
  undecided: "Unknown: undecided",
};

/** Texts that say what is wrong with a beacon. */
export const problems = {
  missing: "missing", weak: "weak", slow: "slow", moved: "moved", claim: "claims a wrong power", impostor: "sent by two", battery: "battery low",
};

export const percent = (probability) => (typeof probability === "number" ? `${Math.round(probability * 100)} %` : "");

/** Below this, another room is nearly as likely. */
export const isUnsure = (probability) => typeof probability === "number" && probability < 0.8;

/** A time as the time of day, with the date if it is not today. */
export function clock(moment) {
  const time = new Date(moment);
  if (Number.isNaN(time.getTime())) return "";
  const isToday = time.toDateString() === new Date().toDateString();
  return isToday
    ? time.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })
    : time.toLocaleDateString([], { day: "numeric", month: "short" });
}

export function span(seconds) {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${(seconds / 3600).toFixed(1)} h` : `${Math.round(seconds / 86_400)} d`;
}
