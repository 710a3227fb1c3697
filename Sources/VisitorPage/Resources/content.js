// A beacon's content: images to recognise, and the contents on the four sides of each.

import { make, own, quote, text } from "./dom.js";
import { addressOf, altOf, isVideo } from "./files.js";
import { linkOf, point, secure, streetMap } from "./actions.js";
import { globe } from "./globe.js";
import { showPage, showPictures } from "./dialogs.js";
import { player, signed, sound } from "./media.js";
import { isValid } from "./validity.js";

const sides = ["left", "right", "top", "bottom"];

/** The manifest as elements, one article per image. The place's name is not repeated. */
export function stages(manifest, placeName) {
  const images = Array.isArray(manifest?.images) ? manifest.images : [];
  return images.filter((image) => isValid(image)).map((image) => stage(image, placeName, manifest.language)).filter(Boolean);
}

function stage(image, placeName, language) {
  if (!image || typeof image !== "object") return null;
  const title = text(image.title);
  const contents = Array.isArray(image.contents) ? image.contents.filter((each) => each && typeof each === "object") : [];
  const cards = contents.map((each) => ({ side: sideOf(each), card: card(each, language) })).filter((each) => each.card);
  // Each side holds one. Further ones for the same side are below. This is also the drawing order.
  const around = sides.map((side) => cards.find((each) => each.side === side)).filter(Boolean);
  const more = cards.filter((each) => !around.includes(each));
  const page = text(image.fullscreen?.html) ? image.fullscreen : null;
  return make(
    "article",
    { class: "stage", "aria-label": title ?? "Image" },
    make("div", { class: "sides" }, picture(image, title, placeName), ...around.map((each) => each.card)),
    more.length > 0 && make("div", { class: "more" }, ...more.map((each) => each.card)),
    sound(image.audio, title),
    signed(image.sign_language, title),
    page && pageButton(page, title),
    labels(image),
  );
}

/** Category and tags, which visitors may know from the place's signs. */
function labels(image) {
  const tags = Array.isArray(image.tags) ? image.tags : [];
  const words = [image.category, ...tags].map((each) => text(each, 100)).filter(Boolean).slice(0, 24);
  return words.length > 0 && make("ul", { class: "labels" }, ...words.map((each) => make("li", { dir: "auto" }, each)));
}

const sideOf = (content) => (sides.includes(content.position) ? content.position : "bottom");

function picture(image, given, placeName) {
  const title = given ?? "the image";
  const address = addressOf(image.asset);
  const caption = given === placeName ? null : given;
  const alt = altOf(image) ?? altOf(image.asset);
  return make(
    "figure",
    { class: "picture" },
    address
      ? make(
          "button",
          { class: "look", type: "button", "aria-label": look(title, alt), onclick: () => showPictures(title, [{ address, alt }]) },
          make("img", { src: address, alt: alt ?? title, decoding: "async", class: "recognised" }),
        )
      : make("p", { class: "missing", ...own }, "This picture is not here yet."),
    caption && make("figcaption", { dir: "auto" }, caption),
  );
}

/** The name of a button with a picture, which is all that a screen reader says of it. */
const look = (name, alt) => `Look at ${name}${alt && alt !== name ? `: ${alt}` : ""}`;

function pageButton(page, title) {
  const label = text(page.title) ?? title ?? "More";
  return make(
    "button",
    { class: "read", type: "button", onclick: () => showPage(label, page.html) },
    make("span", own, "Read about ", quote(label)),
    make("span", { class: "onward", "aria-hidden": "true" }, "→"),
  );
}

function card(content, language) {
  const label = text(content.label);
  const assets = Array.isArray(content.assets) ? content.assets : [];
  const body = (kinds.get(content.kind) ?? pictures)(content, assets, label, language);
  const link = actionOf(content.action);
  if (!body && !link && !label) return null;
  return make(
    "section",
    { class: `card ${sideOf(content)}` },
    body,
    make("div", { class: "words" }, label && make("h2", { dir: "auto" }, label), ...descriptions(content), link, signed(content.sign_language, label)),
  );
}

function descriptions(content) {
  const description = text(content.action?.description);
  const overlay = text(content.action?.overlay_text);
  return [description && make("p", { dir: "auto" }, description), overlay && make("p", { class: "overlay", dir: "auto" }, overlay)];
}

function actionOf(action) {
  const link = linkOf(action);
  if (link) return outward(link.href, link.label);
  // An action that is not possible here is shown as text.
  const name = text(action?.name);
  return name && make("p", { class: "inert", dir: "auto" }, name);
}

function outward(href, label) {
  const isPage = href.startsWith("https:");
  return make(
    "a",
    { class: "action", href, rel: "noopener noreferrer", target: isPage ? "_blank" : null, referrerpolicy: "no-referrer" },
    quote(label),
    isPage && make("span", { class: "outward", "aria-hidden": "true" }, " ↗"),
  );
}

const kinds = new Map([["image", pictures], ["gallery", pictures], ["video", video], ["map", map]]);

function pictures(content, assets, label) {
  const shown = assets.filter((each) => !isVideo(each)).map((each) => ({ address: addressOf(each), alt: altOf(each) }));
  const all = shown.filter((each) => each.address);
  if (all.length === 0) return null;
  const name = label ?? "picture";
  const count = all.length;
  const thumb = make(
    "button",
    {
      class: "thumb",
      type: "button",
      "aria-label": count > 1 ? `${name}: ${count} pictures` : look(name, all[0].alt),
      onclick: () => showPictures(name, all),
    },
    make("img", { src: all[0].address, alt: "", loading: "lazy", decoding: "async" }),
    count > 1 && make("span", { class: "badge", "aria-hidden": "true", ...own }, `${count} pictures`),
  );
  thumb.pictures = all;
  return thumb;
}

function video(content, assets, label, language) {
  const here = player(content, assets, label, language);
  if (here) return here;
  const stream = secure(content.video_url ?? "");
  const still = pictures(content, assets, label);
  if (!stream) return still;
  return make("div", { class: "stream" }, still, outward(stream, "Watch the video"));
}

function map(content, assets, label) {
  const place = point(content.coordinates);
  const plan = pictures(content, assets, label);
  if (!place) return plan;
  return make(
    "div",
    { class: "place" },
    plan ?? make("div", { class: "globe-frame" }, globe(place)),
    make(
      "p",
      { class: "maps", ...own },
      make("a", { href: `geo:${place.latitude},${place.longitude}` }, "Open in maps"),
      " · ",
      make("a", { href: streetMap(place), target: "_blank", rel: "noopener noreferrer", referrerpolicy: "no-referrer" }, "OpenStreetMap"),
    ),
  );
}
