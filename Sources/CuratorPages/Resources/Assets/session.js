// Before a form is sent, asks the server whether the session is still valid. If not, the form stays as it is, and a
// dialog says how to continue. A form without data-keep is sent without this question.
import { element, text } from "./dom.js";

async function state() {
    const answer = await fetch("/session", { headers: { Accept: "application/json" }, cache: "no-store" });
    if (answer.status === 401) return null;
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    return answer.json();
}

/** Shows why the form could not be sent. Resolves with whether the reader wants to try again. */
function ask(words, offersSignIn) {
    const retry = element("button", { type: "button", class: "button primary" }, text("retry"));
    const close = element("button", { type: "button", class: "button" }, text("close"));
    const signIn = element("a", { class: "button", href: "/sign-in", target: "_blank", rel: "noopener" }, text("signIn"));
    const dialog = element("dialog", { "aria-labelledby": "session-words" },
        element("div", { class: "body" }, element("p", { id: "session-words" }, words),
            element("p", { class: "actions" }, ...(offersSignIn ? [signIn] : []), retry, close)));
    document.body.append(dialog);
    dialog.showModal();
    return new Promise(resolve => {
        dialog.addEventListener("close", () => {
            resolve(dialog.returnValue === "retry");
            dialog.remove();
        });
        retry.addEventListener("click", () => dialog.close("retry"));
        close.addEventListener("click", () => dialog.close());
    });
}

async function send(form, submitter) {
    for (;;) {
        let words = text("expired");
        let offersSignIn = true;
        try {
            const session = await state();
            if (session && session.account === document.body.dataset.account) {
                document.body.dataset.csrf = session.csrf;
                for (const field of document.querySelectorAll("input[name=csrf]")) field.value = session.csrf;
                form.dataset.checked = "";
                form.requestSubmit(submitter);
                return;
            }
        } catch {
            words = text("failed");
            offersSignIn = false;
        }
        if (!await ask(words, offersSignIn)) return;
    }
}

// In milliseconds. After this time a form can be sent again, in case the browser was stopped.
const longestWait = 5000;

/** Ignores a second press while the next page is loading. It would send the same again. */
function sendOnce(event) {
    const form = event.target;
    if (event.defaultPrevented || form.method !== "post") return;
    if (form.dataset.sent !== undefined) return event.preventDefault();
    form.dataset.sent = "";
    // This page may be the response to a form. Back would then ask whether to send that form again. Now it is an
    // ordinary page of the same address.
    if (form.getAttribute("action") === location.pathname) history.replaceState(history.state, "", location.href);
    setTimeout(() => delete form.dataset.sent, longestWait);
}

export function guardSession(root) {
    root.addEventListener("submit", event => {
        const form = event.target;
        if (!form.matches("form[data-keep]") || event.defaultPrevented) return;
        if (form.dataset.checked !== undefined) {
            delete form.dataset.checked;
            return;
        }
        event.preventDefault();
        event.stopImmediatePropagation();
        // It was pressed again while the session is checked, or while a script sends the form.
        if (form.dataset.checking !== undefined || form.inert) return;
        form.dataset.checking = "";
        send(form, event.submitter).finally(() => delete form.dataset.checking);
    }, { capture: true });
    root.addEventListener("submit", sendOnce);
}
