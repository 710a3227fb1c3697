// Fetches <div id="…" data-refresh="SECONDS"> again while the page is visible, unless the reader is using something in
// it.
import { improveTimes } from "./times.js";

async function refresh(region) {
    if (document.hidden || region.contains(document.activeElement) || region.querySelector(".confirm[open]")) return;
    try {
        const answer = await fetch(location.href, { headers: { Accept: "text/html" }, cache: "no-store" });
        if (!answer.ok || answer.redirected) return;
        const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById(region.id);
        if (!fresh) return;
        for (const open of region.querySelectorAll("details[open][id]")) {
            const again = fresh.querySelector(`#${CSS.escape(open.id)}`);
            if (again) again.open = true;
        }
        improveTimes(fresh);
        region.replaceChildren(...document.importNode(fresh, true).childNodes);
    } catch {
        // The server is not reachable. The old content stays.
    }
}

export function refreshRegions(root) {
    for (const region of root.querySelectorAll("[data-refresh][id]")) {
        setInterval(() => refresh(region), Number(region.dataset.refresh) * 1000);
    }
}
