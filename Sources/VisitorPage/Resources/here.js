// The current place: its name, distance, download and content.

import { byID, make, own, say } from "./dom.js";
import { isSame, nameOf, translate, whereabouts } from "./beacon.js";
import { closeDialog } from "./dialogs.js";
import { directionOf, setDirection } from "./direction.js";
import { fitHeading } from "./heading.js";
import { size } from "./files.js";
import { contentOf, isNews } from "./store.js";
import { stages } from "./content.js";
import { localized, offerLanguages } from "./languages.js";
import { isValid, nextChange } from "./validity.js";
import { tintFrom } from "./tint.js";

/** undefined before anything is known, null where no beacon is near. */
let beacon;
let asked = 0;
let shownManifest = null;
/** The last event about this beacon's content. */
let news = null;
let hasContent = false;
/** There is content, but not at this time. */
let isClosed = false;
/** Until content begins or ends. */
let change = 0;
/** The language of the manifest's texts. */
let language = null;
/** "nearest", "passed" (another is the nearest by now) or "chosen" from the list. */
let standing = "nearest";
/** Whether the display is old and may no longer be true. */
let isDoubtful = false;

export const shownPlace = () => beacon;

/** Shows another place. The last one's content is removed at once, so that no visitor reads the wrong label. */
export function showPlace(next) {
  beacon = next;
  news = null;
  hasContent = isClosed = false;
  shownManifest = null;
  clearTimeout(change);
  language = null;
  closeDialog();
  byID("content").replaceChildren();
  byID("languages").hidden = true;
  byID("fetch").hidden = true;
  document.body.classList.toggle("nowhere", next === null);
  say(byID("where"), next ? "" : "Walk up to an exhibit, and what it has to tell appears here.");
  showName();
  tellWhere();
  say(byID("announcement"), next ? `You are at ${nameOf(next)}` : "No exhibit is near");
  load();
}

/** The same place, whose name may now be known. */
export function rename(next) {
  if (!next || nameOf(next) === byID("name").textContent) return;
  beacon = next;
  showName();
}

function showName() {
  const name = beacon ? nameOf(beacon) : "Look around";
  document.title = beacon ? `${name} · What is near me` : "What is near me";
  setDirection(directionOf(language, name));
  say(byID("name"), name);
  fitHeading();
}

/** Shows whether the place is the nearest, was passed, or was chosen. */
export function setStanding(next) {
  if (standing === next) return;
  standing = next;
  tellWhere();
}

export function doubt(isTrue) {
  isDoubtful = isTrue;
  tellWhere();
}

const words = new Map([["nearest", "Nearest to you"], ["passed", "Near you before"], ["chosen", "Around you"]]);

function tellWhere() {
  if (beacon === undefined) return;
  const nowhere = isDoubtful ? "No exhibit was near" : "No exhibit is near";
  say(byID("eyebrow"), beacon === null ? nowhere : isDoubtful ? "Last near you" : words.get(standing));
}

export function showDistance(ranked) {
  if (beacon) say(byID("where"), whereabouts(ranked));
}

/** A content event of the stream. */
export function noteContent(event) {
  const isThere = event.state === "ready" || event.state === "recovered";
  const isNew = isThere && isNews(event);
  if (beacon === undefined || !isSame(event.beacon, beacon)) return;
  news = event;
  if (isNew) load();
  else tell();
}

/** Shows the running download. */
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

/** Shows the place's content that is on the disk. */
export async function load() {
  if (beacon === undefined) return;
  const mine = ++asked;
  let stored;
  try {
    stored = await contentOf(beacon);
  } catch {
    return;
  }
  // The visitor has walked on meanwhile.
  if (mine !== asked) return;
  hasContent = stored !== null;
  if (stored) show(stored.manifest);
  tell();
}

function show(given) {
  const { manifest, languages, name: translation, language: tag } = localized(given);
  const images = Array.isArray(manifest?.images) ? manifest.images : [];
  const now = images.filter((image) => isValid(image));
  isClosed = images.length > 0 && now.length === 0;
  clearTimeout(change);
  const wait = nextChange(images);
  if (wait !== null) change = setTimeout(() => (show(given), tell()), wait);
  offerLanguages(languages, tag, () => (show(given), tell()));
  const text = JSON.stringify([manifest, now.length, now.map((image) => image?.id)]);
  if (text === shownManifest) return;
  shownManifest = text;
  language = tag;
  if (beacon) translate(beacon, translation);
  const name = beacon ? nameOf(beacon) : null;
  for (const id of ["content", "name"]) {
    if (language) byID(id).lang = language;
    else byID(id).removeAttribute("lang");
  }
  if (name) showName();
  setDirection(directionOf(language, name ?? "", String(images[0]?.title ?? "")));
  byID("content").replaceChildren(...stages(manifest, name));
  fitHeading();
  const picture = byID("content").querySelector("img.recognised");
  if (picture) tintFrom(picture);
  document.dispatchEvent(new CustomEvent("content-shown"));
}

/** Says plainly why there is no content to see. */
function tell() {
  const content = byID("content");
  const shown = content.querySelector(".telling");
  const words = telling();
  if (shown?.textContent === words) return;
  shown?.remove();
  if (words) content.prepend(make("p", { class: "telling", ...own }, words));
}

function telling() {
  const isFetching = !byID("fetch").hidden;
  if (news?.state === "failed" || news?.state === "waiting") {
    return hasContent
      ? "The site cannot be reached. What is shown was fetched before, and may be older."
      : "The site cannot be reached, and nothing was fetched before. It is tried again.";
  }
  if (isClosed) return "Nothing is shown here at this time.";
  if (hasContent || isFetching) return null;
  if (news?.state === "nothing") return beacon ? "Nothing is told about this place." : null;
  if (news?.state === "started") return "Its pictures are on their way…";
  return standing === "chosen" ? "What it has to tell comes when you walk up to it." : null;
}
