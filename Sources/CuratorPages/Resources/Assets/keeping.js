// Keeps what is typed in <form data-keep="NAME" data-version="N"> in the browser until it is saved, so that a closed
// tab, a lost connection or a crash loses nothing. Each account has its own, so that nobody sees the text of somebody
// else.
import { element, text } from "./dom.js";
import { improveTimes } from "./times.js";

const longest = 500_000;
const mostForms = 40;
const longestTime = 30 * 24 * 3600 * 1000;

// In the storage of the tab: the form that was sent last. The next page says whether it was saved.
const sentForm = "sent-form";

const prefix = () => `keep:${document.body.dataset.account ?? ""}:`;

/** The fields that are kept: those that people fill, and hidden ones that a script fills. */
function fields(form) {
    return Array.from(form.elements).filter(each => each.name && !["csrf", "version"].includes(each.name)
        && !["password", "file", "submit", "button", "reset"].includes(each.type));
}

function values(form) {
    return fields(form).map(each => [each.name, ["checkbox", "radio"].includes(each.type) ? each.value : "",
        ["checkbox", "radio"].includes(each.type) ? each.checked : each.value]);
}

function read(key) {
    try {
        const kept = JSON.parse(localStorage.getItem(key));
        return kept && Date.now() - kept.at < longestTime ? kept : null;
    } catch {
        return null;
    }
}

function write(key, value) {
    try {
        const json = JSON.stringify(value);
        if (json.length <= longest) localStorage.setItem(key, json);
    } catch {
        // The browser stores nothing, or its storage is full. The page works without it.
    }
}

/** Notes that a form of this tab was sent, or that it was changed again. */
function noteSent(key, isSent) {
    try {
        if (isSent) sessionStorage.setItem(sentForm, key);
        else if (sessionStorage.getItem(sentForm) === key) sessionStorage.removeItem(sentForm);
    } catch {
        // The browser stores nothing.
    }
}

/** The form that was sent from the page before; null if none was. */
function takeSent() {
    try {
        const key = sessionStorage.getItem(sentForm);
        sessionStorage.removeItem(sentForm);
        return key;
    } catch {
        return null;
    }
}

/** On a page that refuses what was sent: that it is kept, and where the form is. */
function tellKept(sent) {
    const told = document.getElementById("still-kept");
    if (!told || !sent || !read(sent)) return;
    if (document.referrer) told.querySelector("a").href = document.referrer;
    told.hidden = false;
}

/** Removes entries that are too old, and the oldest if there are too many. */
function tidy() {
    const keys = Object.keys(localStorage).filter(each => each.startsWith("keep:"));
    const kept = keys.map(key => ({ key, at: read(key)?.at ?? 0 })).sort((one, other) => other.at - one.at);
    for (const [index, { key, at }] of kept.entries()) {
        if (index >= mostForms || at === 0) localStorage.removeItem(key);
    }
}

/** What scripts keep besides the fields, such as the names of chosen files. Listeners of "keeping" add it. */
function extra(form) {
    const detail = {};
    form.dispatchEvent(new CustomEvent("keeping", { detail }));
    return detail;
}

function restore(form, kept) {
    // Scripts make their fields again first.
    form.dispatchEvent(new CustomEvent("restoring", { detail: { values: kept.values, extra: kept.extra ?? {} } }));
    // The version that was edited, so that the server merges what others have saved since.
    const seen = form.elements.namedItem("version");
    if (seen && kept.version) seen.value = form.dataset.version = kept.version;
    const left = kept.values.slice();
    for (const field of fields(form)) {
        const isBox = ["checkbox", "radio"].includes(field.type);
        const index = left.findIndex(([name, value]) => name === field.name && (!isBox || value === field.value));
        if (index < 0) continue;
        const [[, , value]] = left.splice(index, 1);
        if (isBox) field.checked = value; else field.value = value;
        for (const kind of ["input", "change"]) field.dispatchEvent(new Event(kind, { bubbles: true }));
    }
    form.dispatchEvent(new CustomEvent("restored", { bubbles: true }));
}

function offer(form, kept, key) {
    const time = element("time", { datetime: new Date(kept.at).toISOString() });
    const bring = element("button", { type: "button", class: "button primary small" }, text("restore"));
    const drop = element("button", { type: "button", class: "button small" }, text("discard"));
    const box = element("div", { class: "notice", role: "status" },
        element("p", {}, text("kept"), " (", time, ")"), element("p", { class: "actions" }, bring, drop));
    improveTimes(box);
    bring.addEventListener("click", () => {
        restore(form, kept);
        box.remove();
        fields(form).find(each => each.type !== "hidden")?.focus();
    });
    drop.addEventListener("click", () => {
        localStorage.removeItem(key);
        box.remove();
    });
    form.prepend(box);
    // It would be hidden in a closed <details>.
    for (let part = form.closest("details"); part; part = part.parentElement.closest("details")) part.open = true;
}

// By form: what to do when the page is left. The window listens once, because forms of dialogs come and go.
const leaving = new WeakMap();
const all = () => [...document.querySelectorAll("form[data-keep]")].map(form => leaving.get(form)).filter(Boolean);
addEventListener("pagehide", () => all().forEach(each => each.flush()));
addEventListener("beforeunload", event => {
    if (all().some(each => each.isUnsaved())) event.preventDefault();
});

/** `sent`: the form that was sent from the page before; undefined for a fragment, which has no page before it. */
function keep(form, wasRefused, sent) {
    const key = prefix() + form.dataset.keep;
    let initial = JSON.stringify(values(form));
    const kept = read(key);
    // A refused form has what was sent, which is not saved yet.
    let isRefused = wasRefused && kept?.submitted === true && (sent === undefined || sent === key);
    if (kept && !isRefused && JSON.stringify(kept.values) !== initial) offer(form, kept, key);

    let timer = 0;
    const isChanged = () => isRefused || JSON.stringify(values(form)) !== initial;
    const store = (submitted, isSure = false) => {
        clearTimeout(timer);
        timer = 0;
        noteSent(key, submitted);
        if (isChanged() || isSure) {
            const version = form.dataset.version ?? "";
            write(key, { at: Date.now(), version, submitted, values: values(form), extra: extra(form) });
        } else localStorage.removeItem(key);
    };
    if (isRefused) store(false);
    const soon = () => {
        delete form.dataset.leaving;
        if (!timer) timer = setTimeout(() => store(false), 400);
    };
    form.addEventListener("input", soon);
    form.addEventListener("change", soon);
    leaving.set(form, {
        flush: () => { if (timer) store(false); },
        isUnsaved: () => form.dataset.leaving === undefined && isChanged(),
    });
    form.addEventListener("submit", () => {
        store(true, true);
        form.dataset.leaving = "";
    });
    // A script has sent it, but it was not saved: it is still kept.
    form.addEventListener("unsent", () => {
        delete form.dataset.leaving;
        store(false, true);
    });
    // A script has saved it, or it was discarded, without a new page.
    form.addEventListener("saved", event => {
        clearTimeout(timer);
        timer = 0;
        initial = JSON.stringify(values(form));
        isRefused = false;
        if (event.detail?.version) form.dataset.version = event.detail.version;
        localStorage.removeItem(key);
        noteSent(key, false);
        form.dataset.leaving = "";
    });
}

/** Keeps the forms below a root: the document, or a fragment that was added later. */
export function keepForms(root) {
    try {
        tidy();
    } catch {
        return;
    }
    const sent = root === document ? takeSent() : undefined;
    // A page with this message follows a form that was saved. What was refused before, or is sent from another tab, stays.
    if (sent && document.querySelector("#toasts .toast")) localStorage.removeItem(sent);
    tellKept(sent);
    const signs = ".error-summary, [aria-invalid=true], main [role=alert], form [role=alert]";
    const wasRefused = root.querySelector(signs) !== null;
    root.querySelectorAll("form[data-keep]").forEach(form => keep(form, wasRefused, sent));
}
