// Connects the event stream to the page.

import { byID, say } from "./dom.js";
import { follow } from "./feed.js";
import { isSame } from "./beacon.js";
import { showRanking } from "./ranking.js";
import { doubt, load, noteContent, showDistance, shownPlace, showProgress } from "./here.js";
import { beginKiosk } from "./kiosk.js";
import { forgetAll } from "./store.js";
import { openPlace, showNearest } from "./visit.js";

const parameters = new URLSearchParams(location.search);
const theme = parameters.get("theme");
if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
if (parameters.has("kiosk")) beginKiosk();

const state = { connection: "connecting", isBlind: false, since: null };

follow({
  connection(connection) {
    if (connection === state.connection) return;
    state.connection = connection;
    state.since = new Date();
    if (connection === "live") {
      loadAgain();
    }
    showState();
  },
  event(kind, data) {
    switch (kind) {
      case "ranging": return rank(data);
      case "progress": return showProgress(Array.isArray(data.progress) ? data.progress : []);
      case "content": return noteContent(data);
      case "missed": return loadAgain();
      case "site": return data.state === "changed" || data.changed > 0 ? loadAgain() : undefined;
      case "scanner":
        state.isBlind = data.scanner === "blind";
        return showState();
      default: return undefined;
    }
  },
});

/** During a pause anything may have changed. */
function loadAgain() {
  forgetAll();
  load();
}

function rank(ranking) {
  const beacons = Array.isArray(ranking.beacons) ? ranking.beacons : [];
  const nearest = ranking.nearest ?? null;
  const isBlind = ranking.scanner === "blind";
  if (isBlind !== state.isBlind) {
    state.isBlind = isBlind;
    showState();
  }
  showNearest(nearest);
  const shown = shownPlace();
  showDistance(shown && beacons.find((each) => isSame(each, shown)));
  showRanking(beacons, nearest, openPlace);
}

const states = {
  connecting: { word: "Connecting…" },
  live: { word: "Live" },
  lost: {
    word: "Offline",
    notice: (time) => `The connection to the beacon service was lost at ${time}. What is shown is from then. It is tried again by itself.`,
  },
  denied: { word: "Not allowed", notice: () => "This page is for visitors of this place: scan the code at the entrance again." },
  blind: {
    word: "Cannot hear",
    notice: () => "The receiver cannot hear beacons at the moment. What is shown is from before, and may not be true any more.",
  },
};

function showState() {
  const name = state.connection === "live" && state.isBlind ? "blind" : state.connection;
  const { word, notice } = states[name];
  byID("state").dataset.state = name;
  const isDoubtful = name === "lost" || name === "blind" || name === "denied";
  document.body.classList.toggle("doubtful", isDoubtful);
  doubt(isDoubtful);
  say(byID("state-text"), word);
  const time = (state.since ?? new Date()).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  byID("notice").hidden = !notice;
  say(byID("notice"), notice?.(time) ?? "");
}
