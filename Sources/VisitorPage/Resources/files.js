// Files of the content, which the daemon serves itself.

import { text } from "./dom.js";

/**
 * The address of a file; null if it is not on the disk, or the address is not one of the daemon's. It is relative, as
 * all addresses are, because the page may be served below a path.
 */
export function addressOf(asset) {
  const url = asset?.url;
  return typeof url === "string" && /^\/v1\/content\/assets\/[0-9a-f]{64}(\?type=[a-z0-9.%+/-]+)?$/i.test(url) ? url.slice(1) : null;
}

/** What is to be seen on a picture: "" if it is decorative, null if nothing is said. */
export const altOf = (described) => (described?.alt === "" ? "" : text(described?.alt, 1000));

export const isVideo = (asset) => typeof asset?.media_type === "string" && asset.media_type.startsWith("video/");

/** 1234567 as "1.2 MB". */
export function size(bytes) {
  if (!Number.isFinite(bytes) || bytes < 1000) return `${bytes} B`;
  const units = ["kB", "MB", "GB"];
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}
