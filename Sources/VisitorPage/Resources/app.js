// Wires the event stream to the page.

import { byID, say } from "./dom.js";
import { follow } from "./feed.js";
import { isSame } from "./beacon.js";
import { showRanking } from "./ranking.js";
import { doubt, load, noteContent, showDistance, showPlace, showProgress } from "./here.js";
import { beginKiosk } from "./kiosk.js";

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
      load();
      tellAbout();
    }
    showState();
  },
  event(kind, data) {
    switch (kind) {
      case "ranging": return rank(data);
      case "progress": return showProgress(Array.isArray(data.progress) ? data.progress : []);
      case "content": return noteContent(data);
      case "missed": return load();
      case "scanner":
        state.isBlind = data.scanner === "blind";
        return showState();
      default: return undefined;
    }
  },
});

function rank(ranking) {
  const beacons = Array.isArray(ranking.beacons) ? ranking.beacons : [];
  const nearest = ranking.nearest ?? null;
  const isBlind = ranking.scanner === "blind";
  if (isBlind !== state.isBlind) {
    state.isBlind = isBlind;
    showState();
  }
  showPlace(nearest);
  showDistance(nearest && beacons.find((each) => isSame(each, nearest)));
  showRanking(beacons, nearest);
}

const states = {
  connecting: { word: "Connecting…" },
  live: { word: "Live" },
  lost: {
    word: "Offline",
    notice: (time) => `The connection to the beacon service was lost at ${time}. What is shown is from then. It is tried again by itself.`,
  },
  denied: { word: "Not allowed", notice: () => "This page needs a token. Open it once as /?token=… with the token of this installation." },
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

async function tellAbout() {
  try {
    const status = await (await fetch("/v1/status", { cache: "no-store" })).json();
    const sources = (status.sources ?? []).map((each) => `${each.source} ${each.state}`).join(", ");
    const revision = status.content?.revision;
    say(
      byID("about"),
      [`beacond ${status.version}`, sources, Number.isFinite(revision) ? `site revision ${revision}` : null].filter(Boolean).join(" · "),
    );
  } catch {
    // It is only a footer.
  }
}
