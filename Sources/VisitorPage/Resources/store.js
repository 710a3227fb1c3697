// Caches manifests, so that each is requested once until an event says that it has changed.

import { pathOf } from "./beacon.js";

const most = 16;
/** By path: {manifest, missing}, the newest last. */
const kept = new Map();

/** The daemon's content for a place: `{manifest, …}`; null if there is none. Throws if the daemon does not answer. */
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

/** Whether a content event may have changed what was fetched. If so, it will be fetched again. */
export function isNews(event) {
  const path = pathOf(event.beacon);
  if (event.state === "ready" && event.unchanged === true && event.fetched_files === 0 && kept.has(path)) return false;
  kept.delete(path);
  return true;
}

/** Forgets everything, because anything may have changed. */
export const forgetAll = () => kept.clear();
