// The direction of a place's texts, which the page's layout follows.

const scripts = new Set(["Adlm", "Arab", "Hebr", "Mand", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa"]);
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** "rtl" or "ltr": by the language if it is known, otherwise by the first letter in the texts. */
export function directionOf(language, ...texts) {
  const script = scriptOf(language);
  if (script) return scripts.has(script) ? "rtl" : "ltr";
  const letter = texts.join(" ").match(/\p{L}/u)?.[0];
  return letter && rightToLeft.test(letter) ? "rtl" : "ltr";
}

export const setDirection = (direction) => {
  if (document.documentElement.dir !== direction) document.documentElement.dir = direction;
};

export const isRightToLeft = () => document.documentElement.dir === "rtl";

function scriptOf(language) {
  try {
    return typeof language === "string" ? new Intl.Locale(language).maximize().script : null;
  } catch {
    return null;
  }
}
