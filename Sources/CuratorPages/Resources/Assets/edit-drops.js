// Places on which pictures are dropped or pasted, and which then become something: an image of a beacon, the content of
// a side, files of the library. The form in it does the same without scripts.
import { accept, sendAll } from "./edit-media.js";
import { element, go, part, post } from "./edit-server.js";

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
    if (root === document) pasteAnywhere();
}

function enhance(place) {
    const take = (files) => receive(place, files);
    accept(place, take);
    for (const file of place.querySelectorAll("input[type=file]")) {
        file.addEventListener("change", () => take([...file.files]));
    }
}

/** What was pasted with the focus nowhere goes to the page's first place for pictures. */
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

async function receive(place, files) {
    if (!files.length || place.dataset.busy) return;
    place.dataset.busy = "yes";
    try {
        const items = await sendAll(files, place);
        if (!items.length) return;
        if (!place.dataset.to) return go(location.href);
        const fields = items.map((item) => ["media", item.id]);
        const answer = await post(place.dataset.to, fields);
        if (answer.redirected || answer.ok) return go(answer.redirected ? answer.url : location.href);
        refuse(place, await words(answer));
    } finally {
        delete place.dataset.busy;
    }
}

async function words(answer) {
    const text = await answer.text();
    try {
        return JSON.parse(text).problem;
    } catch {
        return part(text, "[role=alert], .errors, .field-error").textContent.trim();
    }
}

function refuse(place, text) {
    let said = place.querySelector(":scope > .field-error");
    if (!said) {
        said = element("p", { class: "field-error", role: "alert" });
        place.append(said);
    }
    said.textContent = text;
}
