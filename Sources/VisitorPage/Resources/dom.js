// Elements without markup: names and content come from anywhere, so text only ever becomes text.

const spaces = { svg: "http://www.w3.org/2000/svg" };

/** make("p", {class: "x", onclick: f}, "text", child…); attributes that are null or false are left out. */
export function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for drawings. */
export function draw(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(spaces.svg, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** A text of the site inside one of the page's own sentences. Its direction is its own. */
export const quote = (text) => make("bdi", {}, text);

/** Sets a text only where it differs, so that nothing is read out or laid out again for nothing. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export const byID = (id) => document.getElementById(id);

export const prefersStillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export const isKiosk = () => document.documentElement.dataset.kiosk !== undefined;

/** Control characters, and marks that would turn the direction of what follows a text. */
const marks = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** A text from outside without such marks, cut where it is longer than anybody reads; null where it is none. */
export function text(value, longest = 4000) {
  if (typeof value !== "string") return null;
  const clean = value.slice(0, 4 * longest).replace(marks, "").trim();
  const letters = Array.from(clean);
  return letters.length > longest ? `${letters.slice(0, longest).join("")}…` : clean || null;
}
