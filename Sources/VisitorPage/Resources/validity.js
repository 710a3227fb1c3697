// Content with a first and a last day, by the clock of the device that shows it.

/** A clock that shows an earlier time was never set, as on a small computer without a battery. It hides nothing. */
const earliest = Date.parse("2025-01-01T00:00:00Z");
const longest = 2 ** 31 - 1;

export function isValid(content, now = Date.now()) {
  if (now < earliest) return true;
  const [from, until] = [timeOf(content?.valid_from), timeOf(content?.valid_until)];
  return (from === null || from <= now) && (until === null || now < until);
}

/** In how many milliseconds one of these begins or ends; null if none does. */
export function nextChange(contents, now = Date.now()) {
  const times = contents.flatMap((each) => [timeOf(each?.valid_from), timeOf(each?.valid_until)]);
  const waits = times.filter((time) => time !== null && time > now).map((time) => time - now);
  return waits.length > 0 ? Math.min(longest, ...waits) : null;
}

/** RFC 3339 allows lower-case letters, a space and a leap second, which `Date.parse` does not know. */
function timeOf(value) {
  if (typeof value !== "string") return null;
  const text = value.toUpperCase().replace(" ", "T");
  const time =
    text.slice(16, 19) === ":60"
      ? Date.parse(`${text.slice(0, 16)}:59${text.slice(19)}`) + 1000
      : Date.parse(text);
  return Number.isNaN(time) ? null : time;
}
