// The place where the visitor stands: its name, how far it is, what is being fetched for it, and its content.

import { byID, make, say } from "./dom.js";
import { isSame, nameOf, pathOf, whereabouts } from "./beacon.js";
import { closeDialog } from "./dialogs.js";
import { size } from "./files.js";
import { stages } from "./content.js";
import { tintFrom } from "./tint.js";

/** undefined before anything is known, null where no beacon is near. */
let beacon;
let asked = 0;
let shownManifest = null;
/** What the last event said about this beacon's content. */
let news = null;
let hasContent = false;
/** What is shown is from before, and may not be true any more. */
let isDoubtful = false;

/** Shows another beacon. Content of the last one goes at once, so that nobody reads the neighbour's label. */
export function showPlace(next) {
  if (beacon !== undefined && isSame(beacon, next)) {
    rename(next);
    return;
  }
  beacon = next;
  news = null;
  hasContent = false;
  shownManifest = null;
  closeDialog();
  byID("content").replaceChildren();
  byID("fetch").hidden = true;
  document.body.classList.toggle("nowhere", next === null);
  tellWhere();
  say(byID("name"), next ? nameOf(next) : "Look around");
  say(byID("where"), next ? "" : "Walk up to an exhibit, and what it has to tell appears here.");
  document.title = next ? `${nameOf(next)} · What is near me` : "What is near me";
  say(byID("announcement"), next ? `You are at ${nameOf(next)}` : "No exhibit is near");
  load();
}

export function doubt(isTrue) {
  isDoubtful = isTrue;
  if (beacon !== undefined) tellWhere();
}

function tellWhere() {
  const words = beacon ? ["Nearest to you", "Last near you"] : ["No exhibit is near", "No exhibit was near"];
  say(byID("eyebrow"), words[isDoubtful ? 1 : 0]);
}

/** The same place; its name may have been learned meanwhile. */
function rename(next) {
  if (!next || nameOf(next) === byID("name").textContent) return;
  say(byID("name"), nameOf(next));
  document.title = `${nameOf(next)} · What is near me`;
}

export function showDistance(ranked) {
  if (beacon) say(byID("where"), whereabouts(ranked));
}

/** A content event of the stream. */
export function noteContent(event) {
  if (beacon === undefined || !isSame(event.beacon, beacon)) return;
  news = event;
  if (event.state === "ready" || event.state === "recovered") load();
  else tell();
}

/** What is being fetched. */
export function showProgress(all) {
  const mine = beacon === undefined ? null : all.find((each) => isSame(each.beacon, beacon));
  byID("fetch").hidden = !mine;
  if (!mine) return;
  const percent = mine.bytes > 0 ? Math.min(100, Math.round((100 * mine.fetched_bytes) / mine.bytes)) : 0;
  const bar = byID("fetch-bar");
  bar.setAttribute("aria-valuenow", percent);
  bar.firstElementChild.style.setProperty("--done", `${percent}%`);
  say(byID("fetch-text"), `Fetching pictures: ${size(mine.fetched_bytes)} of ${size(mine.bytes)}`);
  tell();
}

/** Asks for the content again: after a reconnection it may be another. */
export async function load() {
  if (beacon === undefined) return;
  const mine = ++asked;
  let answer;
  let stored = null;
  try {
    answer = await fetch(pathOf(beacon), { cache: "no-store" });
    if (answer.ok) stored = await answer.json();
  } catch {
    return;
  }
  // Somebody has walked on meanwhile.
  if (mine !== asked) return;
  hasContent = stored !== null;
  if (stored) show(stored.manifest);
  tell();
}

function show(manifest) {
  const text = JSON.stringify(manifest);
  if (text === shownManifest) return;
  shownManifest = text;
  const articles = stages(manifest, beacon ? nameOf(beacon) : null);
  byID("content").replaceChildren(...articles);
  const picture = byID("content").querySelector("img.recognised");
  if (picture) tintFrom(picture);
  document.dispatchEvent(new CustomEvent("content-shown"));
}

/** Says plainly what there is to say where there is no content to see. */
function tell() {
  const content = byID("content");
  content.querySelector(".telling")?.remove();
  const words = telling();
  if (!words) return;
  content.prepend(make("p", { class: "telling" }, words));
}

function telling() {
  const isFetching = !byID("fetch").hidden;
  if (news?.state === "failed" || news?.state === "waiting") {
    return hasContent
      ? "The site cannot be reached. What is shown was fetched before, and may be older."
      : "The site cannot be reached, and nothing was fetched before. It is tried again.";
  }
  if (hasContent || isFetching) return null;
  if (news?.state === "nothing") return beacon ? "Nothing is told about this place." : null;
  if (news?.state === "started") return "Its pictures are on their way…";
  return null;
}
