// Links with data-dialog show their page's form in a dialog. What is refused comes back into the dialog with everything
// that was typed; what is saved leads to where the server sends the browser.
import { element, go, parsed, part, say } from "./edit-server.js";

const content = "[data-dialog-content]";

export function start(root) {
    if (root !== document) return;
    document.addEventListener("click", (event) => {
        const link = event.target.closest?.("a[data-dialog]");
        if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        open(link.href, link.closest("[id]")?.id);
    });
}

/**
 * Shows the form of a page. The focus goes back to where it was when the dialog closes; after saving to `place`, because
 * an answer does not tell the part after # to which it leads.
 */
export async function open(address, place) {
    const response = await fetch(address, { credentials: "same-origin" });
    if (!response.ok || new URL(response.url).pathname === "/sign-in") return go(address);
    const dialog = element("dialog", { class: "dialog edit-dialog" });
    document.body.append(dialog);
    dialog.addEventListener("close", () => dialog.remove());
    dialog.addEventListener("cancel", (event) => {
        if (event.target === dialog && !leaves(dialog)) event.preventDefault();
    });
    dialog.addEventListener("click", (event) => {
        const close = event.target.closest("[data-close]");
        if (!close) return;
        event.preventDefault();
        if (leaves(dialog)) dialog.close();
    });
    dialog.addEventListener("submit", (event) => submit(event, dialog, place));
    dialog.addEventListener("input", () => dialog.setAttribute("data-changed", ""));
    show(dialog, part(await response.text(), content));
    dialog.showModal();
    focusFirst(dialog);
}

/** Whether what was typed may be thrown away. */
function leaves(dialog) {
    if (!dialog.hasAttribute("data-changed")) return true;
    const question = dialog.querySelector(content)?.dataset.leave;
    return !question || confirm(question);
}

function show(dialog, fragment) {
    const heading = fragment.querySelector("h1, h2");
    if (heading) {
        heading.id ||= "title";
        dialog.setAttribute("aria-labelledby", `dialog-${heading.id}`);
    }
    rename(fragment);
    dialog.replaceChildren(fragment);
    fragment.dispatchEvent(new CustomEvent("fragment", { bubbles: true }));
}

/** The page behind the dialog may have the same ids. */
function rename(fragment) {
    const roots = [fragment, ...[...fragment.querySelectorAll("template")].map((each) => each.content)];
    for (const root of roots) {
        for (const each of root.querySelectorAll("[id]")) each.id = `dialog-${each.id}`;
        for (const name of ["for", "aria-describedby", "aria-labelledby"]) {
            for (const each of root.querySelectorAll(`[${name}]`)) {
                each.setAttribute(name, each.getAttribute(name).replace(/[^ ]+/g, "dialog-$&"));
            }
        }
        for (const each of root.querySelectorAll("a[href^='#']")) each.setAttribute("href", `#dialog-${each.hash.slice(1)}`);
    }
}

async function submit(event, dialog, place) {
    const form = event.target;
    if (event.defaultPrevented || form.method !== "post") return;
    event.preventDefault();
    const data = new FormData(form, event.submitter);
    const files = [...data.values()].some((value) => value instanceof File && value.size > 0);
    for (const [name, value] of [...data]) if (value instanceof File && value.size === 0) data.delete(name);
    const address = event.submitter?.hasAttribute("formaction") ? event.submitter.formAction : form.action;
    event.submitter?.setAttribute("aria-disabled", "true");
    try {
        const response = await fetch(address, {
            method: "POST",
            body: files ? data : new URLSearchParams(data),
            credentials: "same-origin",
        });
        if (response.redirected && response.ok) return go(place ? `${response.url}#${place}` : response.url);
        const answer = parsed(await response.text());
        const fragment = answer.querySelector(content);
        // A refusal that is no form: what was typed stays.
        if (!fragment) return say(answer.querySelector("main")?.textContent.replace(/\s+/g, " ").trim() ?? "");
        show(dialog, document.adoptNode(fragment));
        const wrong = dialog.querySelector("[aria-invalid=true]") ?? dialog.querySelector(".errors, [role=alert]");
        wrong?.focus();
    } catch {
        say(dialog.querySelector(content)?.dataset.offline ?? "");
    } finally {
        event.submitter?.removeAttribute("aria-disabled");
    }
}

function focusFirst(dialog) {
    const field = dialog.querySelector("[autofocus]") ?? dialog.querySelector(
        "input:not([type=hidden], [type=file], [type=radio]), textarea, select, button");
    field?.focus();
}
