// A beacon's content: images to recognise, and the contents on the four sides of each.

import { make, quote, text } from "./dom.js";
import { addressOf, isVideo } from "./files.js";
import { linkOf, point, secure, streetMap } from "./actions.js";
import { globe } from "./globe.js";
import { showPage, showPictures } from "./dialogs.js";

const sides = ["left", "right", "top", "bottom"];

/** The manifest as elements, one article per image. The place's name is not repeated. */
export function stages(manifest, placeName) {
  const images = Array.isArray(manifest?.images) ? manifest.images : [];
  return images.map((image) => stage(image, placeName)).filter(Boolean);
}

function stage(image, placeName) {
  if (!image || typeof image !== "object") return null;
  const title = text(image.title);
  const contents = Array.isArray(image.contents) ? image.contents.filter((each) => each && typeof each === "object") : [];
  const cards = contents.map((each) => ({ side: sideOf(each), card: card(each) })).filter((each) => each.card);
  // Each side holds one. Further ones for the same side are below. This is also the drawing order.
  const around = sides.map((side) => cards.find((each) => each.side === side)).filter(Boolean);
  const more = cards.filter((each) => !around.includes(each));
  const page = text(image.fullscreen?.html) ? image.fullscreen : null;
  return make(
    "article",
    { class: "stage", "aria-label": title ?? "Image" },
    make("div", { class: "sides" }, picture(image, title, placeName), ...around.map((each) => each.card)),
    more.length > 0 && make("div", { class: "more" }, ...more.map((each) => each.card)),
    page && pageButton(page, title),
  );
}

const sideOf = (content) => (sides.includes(content.position) ? content.position : "bottom");

function picture(image, given, placeName) {
  const title = given ?? "the image";
  const address = addressOf(image.asset);
  const caption = given === placeName ? null : given;
  return make(
    "figure",
    { class: "picture" },
    address
      ? make(
          "button",
          { class: "look", type: "button", "aria-label": `Look at ${title}`, onclick: () => showPictures(title, [address]) },
          make("img", { src: address, alt: title, decoding: "async", class: "recognised" }),
        )
      : make("p", { class: "missing", dir: "ltr" }, "This picture is not here yet."),
    caption && make("figcaption", { dir: "auto" }, caption),
  );
}

function pageButton(page, title) {
  const label = text(page.title) ?? title ?? "More";
  return make(
    "button",
    { class: "read", type: "button", onclick: () => showPage(label, page.html) },
    make("span", { dir: "ltr" }, "Read about ", quote(label)),
    make("span", { class: "onward", "aria-hidden": "true" }, "→"),
  );
}

function card(content) {
  const label = text(content.label);
  const assets = Array.isArray(content.assets) ? content.assets : [];
  const body = (kinds.get(content.kind) ?? pictures)(content, assets, label);
  const link = actionOf(content.action);
  if (!body && !link && !label) return null;
  return make(
    "section",
    { class: `card ${sideOf(content)}` },
    body,
    make("div", { class: "words" }, label && make("h2", { dir: "auto" }, label), ...captions(content), link),
  );
}

function captions(content) {
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
  const addresses = assets.filter((each) => !isVideo(each)).map(addressOf).filter(Boolean);
  if (addresses.length === 0) return null;
  const name = label ?? "picture";
  const count = addresses.length;
  const thumb = make(
    "button",
    {
      class: "thumb",
      type: "button",
      "aria-label": count > 1 ? `${name}: ${count} pictures` : `Look at ${name}`,
      onclick: () => showPictures(name, addresses),
    },
    make("img", { src: addresses[0], alt: "", loading: "lazy", decoding: "async" }),
    count > 1 && make("span", { class: "badge", "aria-hidden": "true", dir: "ltr" }, `${count} pictures`),
  );
  thumb.pictures = addresses;
  return thumb;
}

function video(content, assets, label) {
  const address = assets.filter(isVideo).map(addressOf).find(Boolean);
  if (address) {
    return make("video", { src: address, controls: true, preload: "metadata", playsinline: true, "aria-label": label ?? "Video" });
  }
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
      { class: "maps", dir: "ltr" },
      make("a", { href: `geo:${place.latitude},${place.longitude}` }, "Open in maps"),
      " · ",
      make("a", { href: streetMap(place), target: "_blank", rel: "noopener noreferrer", referrerpolicy: "no-referrer" }, "OpenStreetMap"),
    ),
  );
}
