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

/** Sets a text only where it differs, so that nothing is read out or laid out again for nothing. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export const byID = (id) => document.getElementById(id);

export const prefersStillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** A text from outside, or null where it is none. */
export const text = (value) => (typeof value === "string" && value.trim() ? value.trim() : null);
