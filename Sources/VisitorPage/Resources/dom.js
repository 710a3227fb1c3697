// Makes elements without markup. Names and content are not trusted, so text always stays text.

const spaces = { svg: "http://www.w3.org/2000/svg" };

/** make("p", {class: "x", onclick: f}, "text", child…); attributes that are null or false are left out. */
export function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
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

/** A text of the site inside a sentence of the page. It has its own direction. */
export const quote = (text) => make("bdi", { lang: byID("content").lang || null }, text);

/** The attributes of the page's own words among those of the site. */
export const own = { dir: "ltr", lang: "en" };

/** Sets a text only if it differs, to avoid needless announcements and layout. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export const byID = (id) => document.getElementById(id);

export const prefersStillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export const isKiosk = () => document.documentElement.dataset.kiosk !== undefined;

/** Control characters, and marks that would change the direction of the following text. */
const marks = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** A text from outside without such marks, cut to a readable length; null if it is not a text. */
export function text(value, longest = 4000) {
  if (typeof value !== "string") return null;
  const clean = value.slice(0, 4 * longest).replace(marks, "").trim();
  const letters = Array.from(clean);
  return letters.length > longest ? `${letters.slice(0, longest).join("")}…` : clean || null;
}
