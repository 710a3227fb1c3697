// Pictures that are dropped or pasted on a place become an image of a beacon, the content of a side, or files of the
// library. The form in the place does the same without scripts.
import { element, text } from "./dom.js";
import { accept, sendAll } from "./edit-media.js";
import { go, parsed, post, refusal } from "./edit-server.js";

// Files that were refused, for the next page, which shows them.
const told = "refused-files";
// By place that is busy: the files that came meanwhile.
const queues = new WeakMap();

export function start(root) {
    for (const place of root.querySelectorAll("[data-drop]")) enhance(place);
    // A form for one file is sent when the file is chosen.
    for (const form of root.querySelectorAll("form[data-auto]")) {
        form.addEventListener("change", () => form.requestSubmit());
        accept(form, ([file]) => {
            const chosen = new DataTransfer();
            chosen.items.add(file);
            form.querySelector("input[type=file]").files = chosen.files;
            form.requestSubmit();
        });
    }
    if (root !== document) return;
    pasteAnywhere();
    missPlaces();
    tell();
}

function enhance(place) {
    const take = (files) => receive(place, files);
    accept(place, take);
    for (const file of place.querySelectorAll("input[type=file]")) {
        file.addEventListener("change", () => {
            take([...file.files]);
            // Otherwise choosing the same file again would be no change.
            file.value = "";
        });
    }
}

/** Files that are pasted without a focused field go to the page's first place for pictures. */
function pasteAnywhere() {
    document.addEventListener("paste", (event) => {
        if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
        const files = [...(event.clipboardData?.files ?? [])];
        const place = document.querySelector("[data-drop=first], [data-drop]");
        if (!files.length || !place) return;
        event.preventDefault();
        receive(place, files);
    });
}

/** The browser would leave the page and show a file that is dropped beside a place. */
function missPlaces() {
    const isMissed = (event) => event.dataTransfer?.types.includes("Files") && !event.defaultPrevented
        && !event.target.closest?.("input[type=file]");
    document.addEventListener("dragover", (event) => {
        if (!isMissed(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = "none";
    });
    document.addEventListener("drop", (event) => {
        if (isMissed(event)) event.preventDefault();
    });
}

async function receive(place, files) {
    if (!files.length) return;
    const waiting = queues.get(place);
    if (waiting) return waiting.push(...files);
    const queue = [...files];
    queues.set(place, queue);
    place.querySelector(":scope > .field-error")?.remove();
    const items = [];
    const refused = [];
    try {
        for (let isMore = false; queue.length; isMore = true) {
            const sent = await sendAll(queue.splice(0), place, isMore);
            items.push(...sent.items);
            refused.push(...sent.refused);
        }
        if (!items.length) return;
        if (!place.dataset.to) return leave(refused, location.href);
        const answer = await post(place.dataset.to, items.map((item) => ["media", item.id]));
        if (answer.redirected || answer.ok) return leave(refused, answer.redirected ? answer.url : location.href);
        const body = await answer.text();
        const words = refusal(answer.status, body);
        // Some of the pictures may have become images, which this page does not show yet.
        if (images(parsed(body)) > images(document)) return leave([...refused, { words }], location.href);
        refuse(place, words);
    } catch {
        refuse(place, text("failed"));
    } finally {
        queues.delete(place);
    }
}

/** How many images a page shows. */
function images(page) {
    return page.querySelectorAll(".image-card").length;
}

/** Goes to an address, and keeps the list of refused files for that page. */
function leave(refused, address) {
    try {
        if (refused.length) sessionStorage.setItem(told, JSON.stringify(refused));
    } catch {
        // The browser stores nothing.
    }
    go(address);
}

function tell() {
    let refused;
    try {
        refused = JSON.parse(sessionStorage.getItem(told));
        sessionStorage.removeItem(told);
    } catch {
        return;
    }
    if (!Array.isArray(refused)) return;
    const box = element("div", { class: "notice bad", id: "refused-files", role: "status" });
    document.querySelector("main").prepend(box);
    // Screen readers announce only later changes of a live region.
    requestAnimationFrame(() => box.append(...refused.map(({ name, words }) =>
        name ? element("p", {}, element("bdi", {}, name), `: ${words}`) : element("p", {}, words))));
}

function refuse(place, reason) {
    let said = place.querySelector(":scope > .field-error");
    if (!said) {
        said = element("p", { class: "field-error", role: "alert" });
        place.append(said);
    }
    said.textContent = reason;
}
