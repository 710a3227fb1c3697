// The language of a place's content: the visitor's choice, a language of the browser, or the site's fallback.

import { byID, make, text } from "./dom.js";

const key = "language";
/** Languages that are read by the same people. */
const related = [["bs", "hr", "sr", "sh", "cnr"], ["nb", "no", "nn", "da"], ["cs", "sk"]];
const most = 64;

let chosen = new URLSearchParams(location.search).get("language") ?? kept();

/** The manifest in the language that suits best: `{manifest, languages, language, isVariant}`. */
export function localized(manifest) {
  const languages = languagesOf(manifest);
  const wanted = [chosen, ...navigator.languages].filter(Boolean);
  const language = best(wanted, languages) ?? best(fallbackOf(manifest), languages) ?? languages[0] ?? null;
  const variants = variantsOf(manifest);
  const variant = language !== null && language !== manifest.language ? variants.get(language) : null;
  if (!variant) return { manifest, languages, language: text(manifest?.language, 35), name: null };
  const images = Array.isArray(variant.images) ? variant.images : [];
  return { manifest: { ...manifest, images, language }, languages, language, name: text(variant.beacon?.name, 200) };
}

/** The manifest's own language first. */
function languagesOf(manifest) {
  const all = [text(manifest?.language, 35), ...variantsOf(manifest).keys()];
  return [...new Set(all.filter((tag) => tag && nameOf(tag)))];
}

function variantsOf(manifest) {
  const variants = manifest?.variants;
  const isObject = variants && typeof variants === "object" && !Array.isArray(variants);
  return new Map(isObject ? Object.entries(variants).filter(([, each]) => each && typeof each === "object").slice(0, most) : []);
}

const fallbackOf = (manifest) => (Array.isArray(manifest?.fallback) ? manifest.fallback.filter((tag) => typeof tag === "string") : []);

/** The first language that is wanted and exists: the same tag, the same language of another region, a related one. */
function best(wanted, languages) {
  for (const tag of wanted) {
    const found =
      languages.find((each) => each.toLowerCase() === tag.toLowerCase()) ??
      languages.find((each) => base(each) === base(tag)) ??
      languages.find((each) => related.some((group) => group.includes(base(each)) && group.includes(base(tag))));
    if (found) return found;
  }
  return null;
}

const base = (tag) => tag.toLowerCase().split("-")[0];

/** "Deutsch" for "de"; null for what is no language tag. */
function nameOf(tag) {
  try {
    const name = new Intl.DisplayNames([tag], { type: "language" }).of(tag);
    return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
  } catch {
    return null;
  }
}

/** Shows the menu if there is something to choose. `changed()` is called after a choice. */
export function offerLanguages(languages, language, changed) {
  const menu = byID("language");
  byID("languages").hidden = languages.length < 2;
  const shown = [...menu.options].map((each) => each.value).join();
  if (shown !== languages.join()) {
    menu.replaceChildren(...languages.map((tag) => make("option", { value: tag, lang: tag }, nameOf(tag))));
  }
  menu.value = language ?? "";
  menu.onchange = () => {
    chosen = menu.value;
    keep(chosen);
    changed();
  };
}

/** If the browser stores nothing, the choice lasts until the page is closed. */
function kept() {
  try {
    return text(localStorage.getItem(key), 35);
  } catch {
    return null;
  }
}

function keep(tag) {
  try {
    localStorage.setItem(key, tag);
  } catch {
    // See above.
  }
}
