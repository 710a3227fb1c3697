// Sound and videos, with transcripts, captions and sign language for visitors who cannot hear them.

import { make, own, text } from "./dom.js";
import { addressOf, isVideo } from "./files.js";

/** A player, and below it what is said. */
export function sound(audio, title) {
  const address = addressOf(audio?.asset);
  const transcript = text(audio?.transcript, 20_000);
  if (!address && !transcript) return null;
  return make(
    "div",
    { class: "sound" },
    address && make("audio", { src: address, controls: true, preload: "none", "aria-label": title ? `Listen: ${title}` : "Listen" }),
    transcript &&
      make(
        "details",
        { open: !address },
        make("summary", own, "What is said"),
        make("p", { class: "transcript", dir: "auto" }, transcript),
      ),
  );
}

/** A video on the page, with captions; null if there is none on the disk. */
export function player(content, assets, label, language) {
  const address = assets.filter(isVideo).map(addressOf).find(Boolean);
  if (!address) return null;
  const captions = addressOf(content.captions);
  return make(
    "video",
    { src: address, controls: true, preload: "metadata", playsinline: true, "aria-label": label ?? "Video" },
    captions && make("track", { kind: "captions", src: captions, srclang: language || "und", label: "Captions", default: true }),
  );
}

/** The same in sign language, behind a button: it is loaded when it is opened. */
export function signed(asset, title) {
  const address = addressOf(asset);
  if (!address) return null;
  return make(
    "details",
    { class: "signed" },
    make("summary", own, "In sign language"),
    make("video", { src: address, controls: true, preload: "none", playsinline: true, "aria-label": title ? `${title}, in sign language` : "In sign language" }),
  );
}
