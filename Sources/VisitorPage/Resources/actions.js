// Links and other actions. Content is not trusted: only these kinds of addresses are allowed, and each is checked.

import { text } from "./dom.js";

/** {label, href, note}, or null if the action is not possible here. */
export function linkOf(action) {
  if (!action || typeof action !== "object") return null;
  const value = text(action.value);
  if (!value) return null;
  const href = makers.get(action.kind)?.(value, action.parameters);
  if (!href) return null;
  // A number or an address is shown as it was written, without "tel:" or "mailto:".
  const written = action.kind === "open_url" ? href : value;
  return { href, label: text(action.name) ?? written, note: text(action.description) ?? text(action.overlay_text) };
}

/** A Map, because every object also has inherited keys: `constructor` is not a kind of action. */
const makers = new Map([
  ["open_url", (value) => secure(value)],
  ["call", (value) => call(value)],
  ["email", (value, parameters) => mail(value, parameters)],
  ["navigate", (value) => place(value)],
]);

/** An https address; anything else (http, javascript, data, file …) is refused. */
export function secure(value) {
  try {
    const url = new URL(value);
    return url.protocol === "https:" && !url.username && !url.password ? url.href : null;
  } catch {
    return null;
  }
}

/** Without the zero that is dialled only within the country: +49 (0)30 12345. */
function call(value) {
  if (!/^\+?[0-9 ()./-]{2,32}$/.test(value)) return null;
  const number = value.startsWith("+") ? value.replaceAll("(0)", "") : value;
  return `tel:${number.replace(/[^0-9+]/g, "")}`;
}

/** Names and hosts may have letters of other scripts (RFC 6531). What has a meaning in an address is encoded. */
function mail(value, parameters) {
  const match = /^([^\s@<>",;:]{1,64})@([\p{L}\p{M}\p{N}.-]{1,255})$/u.exec(value);
  if (!match) return null;
  const fields = ["subject", "body"]
    .map((name) => [name, text(parameters?.[name])])
    .filter(([, given]) => given)
    // A line ends with two characters in mail (RFC 6068, section 5).
    .map(([name, given]) => `${name}=${encoded(given.replace(/\r?\n/g, "\r\n"))}`);
  return `mailto:${encoded(match[1])}@${encoded(match[2])}${fields.length ? "?" + fields.join("&") : ""}`;
}

/** For an address. Half a character, with which a shortened text may end, would be an error. */
function encoded(words) {
  return encodeURIComponent(words.replace(/\p{Surrogate}/gu, ""));
}

/** geo: (RFC 5870) for coordinates and for names of places. */
function place(value) {
  const point = pointOf(value);
  return point ? `geo:${point.latitude},${point.longitude}` : `geo:0,0?q=${encoded(value.slice(0, 200))}`;
}

function pointOf(value) {
  const match = /^\s*(-?\d{1,3}(?:\.\d+)?)\s*,\s*(-?\d{1,3}(?:\.\d+)?)\s*$/.exec(value);
  return match ? point({ latitude: Number(match[1]), longitude: Number(match[2]) }) : null;
}

/** Valid degrees of latitude and longitude, or null. */
export function point(coordinates) {
  const { latitude, longitude } = coordinates ?? {};
  const isOnEarth =
    Number.isFinite(latitude) && Number.isFinite(longitude) && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return isOnEarth ? { latitude, longitude } : null;
}

export const streetMap = ({ latitude, longitude }) =>
  `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`;
