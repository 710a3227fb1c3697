// Links with data-dialog show their page's form in a dialog. A refused form returns to the dialog with everything that
// was typed. After saving, the browser goes where the server sends it.
import { element, text } from "./dom.js";
import { go, isSignIn, parsed, part, refusal, say } from "./edit-server.js";

const content = "[data-dialog-content]";
// A second click on a link opens no second dialog.
let isOpening = false;

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
 * Shows the form of a page. When the dialog closes, the focus returns to where it was. After saving, it goes to
 * `place`, because a response does not have the part of its address after #.
 */
export async function open(address, place) {
    if (isOpening) return;
    isOpening = true;
    let response, page;
    try {
        response = await fetch(address, { credentials: "same-origin" });
        page = await response.text();
    } catch {
        return say(text("failed"));
    } finally {
        isOpening = false;
    }
    if (!response.ok || isSignIn(response)) return go(address);
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
    show(dialog, part(page, content));
    dialog.showModal();
    focusFirst(dialog);
}

/** Whether what was typed may be thrown away. */
function leaves(dialog) {
    // Closing does not cancel a request that was already sent.
    if (!dialog.hasAttribute("data-changed") || dialog.querySelector("form[aria-busy]")) return true;
    const question = dialog.querySelector(content)?.dataset.leave;
    if (question && !confirm(question)) return false;
    for (const form of dialog.querySelectorAll("form")) form.dispatchEvent(new CustomEvent("saved"));
    return true;
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
    if (form.inert) return;
    const { submitter } = event;
    const data = new FormData(form, submitter);
    const files = [...data.values()].some((value) => value instanceof File && value.size > 0);
    for (const [name, value] of [...data]) if (value instanceof File && value.size === 0) data.delete(name);
    const address = submitter?.hasAttribute("formaction") ? submitter.formAction : form.action;
    const goOn = hold(dialog, form);
    try {
        const response = await fetch(address, {
            method: "POST",
            body: files ? data : new URLSearchParams(data),
            credentials: "same-origin",
        });
        if (response.redirected && response.ok) {
            form.dispatchEvent(new CustomEvent("saved"));
            // A reader who stays, because something else on the page is not saved, must not see a form that was saved.
            dialog.close();
            return go(place ? `${response.url}#${place}` : response.url);
        }
        const body = await response.text();
        const fragment = parsed(body).querySelector(content);
        // A dialog that was closed meanwhile stays closed. What was typed is kept for the next time.
        if (!dialog.isConnected) return fail(form, failed(dialog));
        // The refusal is not a form, so the form with what was typed stays.
        if (!fragment) return goOn(refusal(response.status, body));
        show(dialog, document.adoptNode(fragment));
        focusWrong(dialog);
    } catch {
        if (dialog.isConnected) goOn(failed(dialog));
        else fail(form, failed(dialog));
    }
}

/**
 * Disables a form while it is sent, because the response replaces it. The dialog has the focus meanwhile, so that
 * Escape still closes it. The returned function enables the form, returns the focus, and shows why.
 */
function hold(dialog, form) {
    const focused = dialog.contains(document.activeElement) ? document.activeElement : null;
    form.inert = true;
    form.setAttribute("aria-busy", "true");
    dialog.tabIndex = -1;
    dialog.focus();
    say(text("saving"));
    return (words) => {
        form.inert = false;
        form.removeAttribute("aria-busy");
        fail(form, words);
        focused?.focus();
    };
}

function fail(form, words) {
    form.dispatchEvent(new CustomEvent("unsent"));
    say(words);
}

function failed(dialog) {
    return dialog.querySelector(content)?.dataset.offline ?? "";
}

/** Focuses the first field with a mistake, even if it is in a closed <details>. */
function focusWrong(dialog) {
    const wrong = dialog.querySelector("[aria-invalid=true]:not([hidden])")
        ?? dialog.querySelector(".error-summary, [role=alert]") ?? dialog.querySelector(".form-foot button");
    for (let part = wrong?.closest("details"); part; part = part.parentElement.closest("details")) part.open = true;
    wrong?.focus();
}

function focusFirst(dialog) {
    const field = dialog.querySelector("[autofocus]") ?? dialog.querySelector(
        "input:not([type=hidden], [type=file], [type=radio]), textarea, select, button");
    field?.focus();
}
