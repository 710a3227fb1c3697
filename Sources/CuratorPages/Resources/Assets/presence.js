// Shows editors who else is editing the same document: <form data-document="ID">.
import { csrf, element, text } from "./dom.js";

const interval = 15_000;
const page = crypto.getRandomValues(new Uint32Array(2)).join("-");

export function showPresence(root) {
    const form = root.querySelector("form[data-document]");
    if (!form) return;
    const box = element("p", { class: "notice warn", role: "status", hidden: true });
    form.before(box);
    const address = `/presence/${encodeURIComponent(form.dataset.document)}?page=${page}`;
    const options = () => ({ method: "POST", headers: { "X-CSRF-Token": csrf(), Accept: "application/json" } });
    async function beat() {
        if (document.hidden) return;
        try {
            const answer = await fetch(address, options());
            if (!answer.ok) return;
            const { others } = await answer.json();
            const names = others.slice(0, 5).join(", ");
            box.hidden = others.length === 0;
            const isSelf = others.length === 1 && others[0] === document.body.dataset.account;
            const words = others.length === 0 ? "" : isSelf ? text("editingSelf") : text("editing", names);
            // Announced once, not each time.
            if (box.textContent !== words) box.textContent = words;
        } catch {
            // The server is not reachable. Saving reports that.
        }
    }
    // The previous page may be of the same document. Its end has to arrive first.
    setTimeout(beat, 1500);
    setInterval(beat, interval);
    document.addEventListener("visibilitychange", beat);
    addEventListener("pagehide", () => fetch(`${address}&leave=1`, { ...options(), keepalive: true }).catch(() => {}));
}
