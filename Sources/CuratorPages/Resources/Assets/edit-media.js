// Fields that name a file of the library. Without scripts they are a select. Here they are a thumbnail, a button that
// opens the library, and a place where a file can be dropped or pasted.
import { element, text } from "./dom.js";
import { fragment, say, standIn, upload } from "./edit-server.js";

// By form: the number of uploads that have not ended.
const waiting = new Map();

export function start(root) {
    if (root === document) document.addEventListener("submit", wait, { capture: true });
    for (const field of root.querySelectorAll("[data-media-field]")) enhance(field);
    for (const field of root.querySelectorAll("[data-media-list]")) enhanceList(field);
}

/** Delays sending a form until its files are uploaded. Otherwise it would be saved without them. */
function wait(event) {
    const form = event.target;
    if (!waiting.get(form)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    say(text("uploading"));
    const { submitter } = event;
    if (form.dataset.waits !== undefined) return;
    form.dataset.waits = "";
    form.addEventListener("settled", (end) => {
        delete form.dataset.waits;
        if (end.detail) form.requestSubmit(submitter);
    }, { once: true });
}

/** Delays sending a form until work for it has ended. The work returns false if something failed. */
export async function during(form, work) {
    if (!form) return work();
    waiting.set(form, (waiting.get(form) ?? 0) + 1);
    let isGood = false;
    try {
        const result = await work();
        isGood = result !== false;
        return result;
    } finally {
        const left = waiting.get(form) - 1;
        if (left) waiting.set(form, left);
        else waiting.delete(form);
        if (!isGood) form.dataset.spoilt = "";
        if (!left) {
            const detail = form.dataset.spoilt === undefined;
            delete form.dataset.spoilt;
            form.dispatchEvent(new CustomEvent("settled", { detail }));
        }
    }
}

function enhance(field) {
    const select = field.querySelector("select");
    const file = field.querySelector("input[type=file]");
    if (!select || field.dataset.ready) return;
    field.dataset.ready = "yes";
    select.hidden = true;
    const shown = field.querySelector(".media-shown");
    const choose = field.querySelector("[data-choose-file]");
    const clear = field.querySelector("[data-clear-file]");
    const label = field.querySelector(`label[for="${select.id}"]`);
    if (label) label.id ||= `${select.id}-label`;
    for (const [button, what] of [[choose, "choose"], [clear, "clear"]]) {
        button.id = `${select.id}-${what}`;
        // A form has several such fields, and their buttons have the same text.
        if (label) button.setAttribute("aria-labelledby", `${label.id} ${button.id}`);
    }
    choose.setAttribute("aria-describedby", `${select.getAttribute("aria-describedby") ?? ""} ${select.id}-name`.trim());
    standIn(select, choose);

    const draw = () => {
        const option = select.selectedOptions[0];
        const isEmpty = !option?.value;
        clear.hidden = isEmpty;
        shown.replaceChildren();
        if (isEmpty) shown.append(element("span", { class: "muted", id: `${select.id}-name` }, field.dataset.empty));
        else {
            if (option.dataset.picture) shown.append(element("img", { src: option.dataset.picture, alt: "" }));
            shown.append(element("bdi", { id: `${select.id}-name` }, option.textContent));
        }
    };
    const take = (item) => {
        set(select, item);
        draw();
        select.dispatchEvent(new Event("input", { bubbles: true }));
    };
    choose.addEventListener("click", async () => {
        const [item] = await pick(field.dataset.mediaField, false, field.dataset);
        if (item) take(item);
        choose.focus();
    });
    clear.addEventListener("click", () => {
        take({ id: "", name: "" });
        choose.focus();
    });
    const bringOne = (files) => bring(files.slice(0, 1), field, ([item]) => { if (item) take(item); });
    file?.addEventListener("change", async () => {
        await bringOne([...file.files]);
        file.value = "";
    });
    accept(field, bringOne);
    select.addEventListener("change", draw);
    keepChoice(field, select);
    draw();
}

/** Keeps the file's name and picture with the form, because the list may not have the file the next time. */
function keepChoice(field, select) {
    const form = field.closest("form");
    form?.addEventListener("keeping", ({ detail }) => {
        const option = select.selectedOptions[0];
        if (!option?.value) return;
        detail.files ??= {};
        detail.files[option.value] = { name: option.textContent, picture: option.dataset.picture };
    });
    form?.addEventListener("restoring", ({ detail }) => {
        const id = detail.values.find(([name]) => name === select.name)?.[2];
        const known = id && detail.extra.files?.[id];
        if (!known || [...select.options].some((each) => each.value === id)) return;
        select.append(element("option", { value: id, "data-picture": known.picture }, known.name));
    });
}

/** Takes several pictures at once. Each becomes a row. */
function enhanceList(field) {
    if (field.dataset.ready) return;
    field.dataset.ready = "yes";
    const file = field.querySelector("input[type=file]");
    const select = field.querySelector("select");
    if (select) {
        select.disabled = true;
        select.closest("label, .field").hidden = true;
    }
    const add = (items) => field.dispatchEvent(new CustomEvent("media", { detail: items, bubbles: true }));
    const choose = field.querySelector("[data-choose-several]");
    choose.addEventListener("click", async () => {
        add(await pick("picture", true, field.dataset));
        choose.focus();
    });
    file?.addEventListener("change", async () => {
        await bring([...file.files], field, add);
        file.value = "";
    });
    accept(field, (files) => bring(files, field, add));
}

function set(select, item) {
    let option = [...select.options].find((each) => each.value === item.id);
    if (!option) {
        option = element("option", { value: item.id, "data-picture": item.picture }, item.name);
        select.append(option);
    }
    select.value = item.id;
}

/** Files that are dropped on an element, or pasted while the focus is in it. */
export function accept(field, take) {
    field.addEventListener("dragover", (event) => {
        if (!event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        event.stopPropagation();
        field.classList.add("is-over");
    });
    field.addEventListener("dragleave", (event) => {
        if (!field.contains(event.relatedTarget)) field.classList.remove("is-over");
    });
    field.addEventListener("drop", (event) => {
        field.classList.remove("is-over");
        const files = [...event.dataTransfer.files];
        if (!files.length) return;
        event.preventDefault();
        event.stopPropagation();
        take(files);
    });
    field.addEventListener("paste", (event) => {
        const files = [...event.clipboardData.files];
        if (!files.length) return;
        event.preventDefault();
        event.stopPropagation();
        take(files);
    });
}

/** Uploads files, and passes accepted ones to `take`. The form around the field is not sent before. */
export function bring(files, field, take) {
    return during(field.closest("form"), async () => {
        const { items, refused } = await sendAll(files, field);
        take(items);
        // The accepted files may have moved it out of sight.
        if (refused.length) field.querySelector(":scope > .uploads .field-error")?.scrollIntoView({ block: "center" });
        return refused.length === 0;
    });
}

/**
 * Uploads files one after the other, with a progress bar for each. Returns the accepted `items`, and the name and
 * reason of each `refused` file. With `isMore`, the lines of earlier files stay.
 */
export async function sendAll(files, field, isMore = false) {
    let list = field.querySelector(":scope > .uploads");
    if (!list) {
        list = element("ul", { class: "uploads", role: "list" });
        field.append(list);
    }
    if (!isMore) list.replaceChildren();
    const lines = files.map((file) => {
        const bar = element("progress", { max: "1", value: "0", "aria-label": file.name });
        const line = element("li", {}, element("bdi", {}, file.name), " ", bar);
        list.append(line);
        return { line, bar };
    });
    const items = [];
    const refused = [];
    for (const [index, file] of files.entries()) {
        const { line, bar } = lines[index];
        try {
            const item = await upload(file, (share) => { bar.value = share; });
            items.push(item);
            line.remove();
            say((field.dataset.uploaded ?? "{0}").replace("{0}", file.name));
        } catch (error) {
            refused.push({ name: file.name, words: error.message });
            line.classList.add("field-error");
            line.setAttribute("role", "alert");
            line.replaceChildren(element("bdi", {}, file.name), `: ${error.message}`);
        }
    }
    return { items, refused };
}

// A second click does not open a second library.
let isOpening = false;

/** Opens the library in a dialog, and returns what was chosen: items with id, name and picture. */
export async function pick(kind, several, texts) {
    if (isOpening) return [];
    isOpening = true;
    const dialog = element("dialog", { class: "dialog media-picker", "aria-label": texts.choose });
    document.body.append(dialog);
    const chosen = new Map();
    const show = async (address) => {
        let list;
        try {
            list = await fragment(address, "[data-media-pick]");
        } catch (error) {
            dialog.close("");
            say(error.message);
            return false;
        }
        dialog.replaceChildren(list);
        for (const link of list.querySelectorAll("a[data-id]")) {
            link.setAttribute("role", "button");
            if (several) link.setAttribute("aria-pressed", chosen.has(link.dataset.id));
        }
        const done = list.querySelector("[data-done]");
        if (done) done.hidden = !several;
        count(dialog, chosen);
        focusSearch();
        return true;
    };
    const focusSearch = () => dialog.querySelector("input[type=search]")?.focus();
    const result = new Promise((resolve) => {
        dialog.addEventListener("close", () => {
            dialog.remove();
            resolve(dialog.returnValue === "done" ? [...chosen.values()] : []);
        });
    });
    dialog.addEventListener("click", (event) => {
        if (event.target.closest("[data-close]")) return dialog.close("");
        if (event.target.closest("[data-done]")) return dialog.close("done");
        const link = event.target.closest("a");
        if (!link) return;
        event.preventDefault();
        if (!link.dataset.id) return show(link.href);
        choose(link);
    });
    dialog.addEventListener("keydown", (event) => {
        const link = event.target.closest("a[data-id]");
        if (!link || event.key !== " ") return;
        event.preventDefault();
        choose(link);
    });
    const choose = (link) => {
        const item = { id: link.dataset.id, name: link.dataset.name, picture: link.dataset.picture };
        if (!several) {
            chosen.set(item.id, item);
            return dialog.close("done");
        }
        if (!chosen.delete(item.id)) chosen.set(item.id, item);
        link.setAttribute("aria-pressed", chosen.has(item.id));
        count(dialog, chosen);
    };
    dialog.addEventListener("submit", (event) => {
        event.preventDefault();
        event.stopPropagation();
        show(`${event.target.action}?${new URLSearchParams(new FormData(event.target))}`);
    });
    const isThere = await show(`/media/pick?kind=${encodeURIComponent(kind)}`);
    isOpening = false;
    if (!isThere) {
        dialog.remove();
        return [];
    }
    // An empty dialog would grow under the pointer.
    dialog.showModal();
    focusSearch();
    return result;
}

function count(dialog, chosen) {
    const done = dialog.querySelector("[data-done]");
    if (done) done.textContent = done.dataset.done.replace("{0}", chosen.size);
}
