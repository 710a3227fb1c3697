// The event stream. It reconnects when the connection breaks or falls silent, and reports the state of the connection.

/** The connection counts as lost after so many milliseconds without data. Rankings come about every second. */
const silence = 12_000;
const longestPause = 10_000;

const visitorKinds = ["ranging", "progress", "nearest", "content", "site", "scanner", "missed"];

/**
 * Calls on.event(kind, data) for each event of these kinds, and on.connection(state) with "live", "lost" or "denied".
 */
export function follow(on, kinds = visitorKinds) {
  let source = null;
  let pause = 1000;
  let timer = 0;
  let watch = 0;

  const heard = () => {
    clearTimeout(watch);
    watch = setTimeout(() => lose(), silence);
  };

  function lose() {
    on.connection("lost");
    source?.close();
    clearTimeout(watch);
    clearTimeout(timer);
    timer = setTimeout(begin, pause);
    pause = Math.min(longestPause, pause * 1.6);
  }

  /** EventSource does not report why it failed. */
  async function ask() {
    try {
      const answer = await fetch("v1/status", { cache: "no-store" });
      if (answer.status === 401 || answer.status === 403) on.connection("denied");
    } catch {
      // The daemon is not reachable, which was already reported.
    }
  }

  function begin() {
    source = new EventSource("v1/events?states=1");
    source.onopen = () => {
      pause = 1000;
      heard();
      on.connection("live");
    };
    source.onerror = () => {
      lose();
      ask();
    };
    for (const kind of kinds) {
      source.addEventListener(kind, (event) => {
        heard();
        let data;
        try {
          data = JSON.parse(event.data);
        } catch {
          return;
        }
        on.event(kind, data);
      });
    }
  }

  // A phone that wakes up has usually lost its connection.
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && source?.readyState === EventSource.CLOSED) {
      clearTimeout(timer);
      begin();
    }
  });
  begin();
}
