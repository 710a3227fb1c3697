// A screen on a wall: no scrolling, no links away from the page, and pictures change by themselves.

import { byID, make, prefersStillness } from "./dom.js";
import { qrCode } from "./qr.js";

/** How long each picture is shown, in milliseconds. */
const pace = 8000;

let slides = [];
let at = 0;
let timer = 0;

export function beginKiosk() {
  document.documentElement.dataset.kiosk = "";
  document.documentElement.dataset.theme ??= "dark";
  document.addEventListener("content-shown", () => {
    for (const link of byID("content").querySelectorAll("a.action")) takeAlong(link);
    slides = slidesOf(byID("content").querySelector(".stage"));
    at = 0;
    turn();
  });
  document.addEventListener("contextmenu", (event) => event.preventDefault());
  // Links lead away from the page, and there is no way back without a keyboard.
  document.addEventListener("click", (event) => event.target.closest?.("a, button") && event.preventDefault(), true);
  keepAwake();
}

/** A QR code beside each link, for a visitor's own phone. */
function takeAlong(link) {
  const code = qrCode(link.getAttribute("href"));
  if (code) link.before(code);
}

/** Each picture of each card is one step. A card without pictures is one step too. */
function slidesOf(stage) {
  const cards = [...(stage?.querySelectorAll(".card") ?? [])];
  return cards.flatMap((card) => {
    const thumb = card.querySelector(".thumb");
    return (thumb?.pictures ?? [null]).map((picture) => ({ card, thumb, address: picture?.address }));
  });
}

function turn() {
  clearTimeout(timer);
  if (slides.length === 0) return;
  const slide = slides[at % slides.length];
  for (const { card } of slides) card.classList.toggle("on", card === slide.card);
  if (slide.address) slide.thumb.querySelector("img").src = slide.address;
  showTurns(slide.card);
  play(slide.card);
  if (!prefersStillness()) slide.card.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 700 });
  at += 1;
  timer = setTimeout(turn, pace);
}

/** The number of steps, and the current one. */
function showTurns(card) {
  byID("content").querySelector(".turns")?.remove();
  if (slides.length < 2) return;
  const marks = slides.map((_, index) => make("span", { class: index === at % slides.length ? "now" : null }));
  card.append(make("div", { class: "turns", "aria-hidden": "true" }, ...marks));
}

function play(card) {
  for (const video of byID("content").querySelectorAll("video")) {
    video.muted = true;
    video.loop = true;
    if (card.contains(video)) video.play().catch(() => {});
    else video.pause();
  }
}

async function keepAwake() {
  try {
    await navigator.wakeLock?.request("screen");
  } catch {
    // The service that starts the browser also keeps the screen on.
  }
}
