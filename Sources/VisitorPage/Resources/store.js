// Manifests that were fetched, so that each is asked for once for as long as nothing says that it has changed.

import { pathOf } from "./beacon.js";

const most = 16;
/** By path: {manifest, missing}, the newest last. */
const kept = new Map();

/** What the daemon has stored for a place: `{manifest, …}`, or null where there is nothing. Throws where it does not answer. */
export async function contentOf(beacon) {
  const path = pathOf(beacon);
  const known = kept.get(path);
  if (known) return known;
  const answer = await fetch(path, { cache: "no-store" });
  if (answer.status === 404) return null;
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  const stored = await answer.json();
  if (stored.missing === 0) keep(path, stored);
  return stored;
}

function keep(path, stored) {
  kept.set(path, stored);
  if (kept.size > most) kept.delete(kept.keys().next().value);
}

/** A place's content is there, or there again. False where it is what was fetched already. */
export function isNews(event) {
  const path = pathOf(event.beacon);
  if (event.state === "ready" && event.unchanged === true && event.fetched_files === 0 && kept.has(path)) return false;
  kept.delete(path);
  return true;
}

/** Anything may have changed meanwhile. */
export const forgetAll = () => kept.clear();
