// <div id="…" data-refresh="SECONDS"> is fetched again while somebody looks at it, unless they are in the middle of
// something there.
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
        // Not reachable: what is shown stays.
    }
}

export function refreshRegions(root) {
    for (const region of root.querySelectorAll("[data-refresh][id]")) {
        setInterval(() => refresh(region), Number(region.dataset.refresh) * 1000);
    }
}
