// The pictures of a content as rows that can be added, moved and removed. The names of the fields have the row's
// number. Without scripts, the buttons of a row are sent to the server, which does the same.
import { say } from "./edit-server.js";

export function start(root) {
    for (const list of root.querySelectorAll("[data-rows]")) enhance(list);
}

function enhance(list) {
    const form = list.closest("form");
    list.addEventListener("click", (event) => {
        const button = event.target.closest("button[name=do]");
        const row = button?.closest("[data-row]");
        if (!row) return;
        event.preventDefault();
        const [what] = button.value.split(" ");
        if (what === "remove") remove(list, row);
        else move(list, row, what === "up" ? -1 : 1, button);
        changed(list);
    });
    form?.addEventListener("media", (event) => {
        for (const item of event.detail) append(list, item);
        changed(list);
    });
    list.addEventListener("sorted", () => changed(list));
    if (form) keepRows(list, form);
}

/** Keeps the rows with the form. Restored rows are made first, then their fields are filled. */
function keepRows(list, form) {
    form.addEventListener("keeping", ({ detail }) => {
        detail.rows = rows(list).map((row) => ({
            id: row.querySelector("[data-media]").value, name: row.querySelector("[data-name]").textContent,
            picture: row.querySelector("img").getAttribute("src"),
        }));
    });
    form.addEventListener("restoring", ({ detail }) => {
        if (!detail.extra.rows) return;
        for (const row of rows(list)) row.remove();
        for (const item of detail.extra.rows) append(list, item);
        renumber(list);
    });
}

function rows(list) {
    return [...list.querySelectorAll(":scope > [data-row]")];
}

function move(list, row, by, button) {
    const all = rows(list);
    const target = all[all.indexOf(row) + by];
    if (!target) return;
    if (by < 0) target.before(row);
    else target.after(row);
    button.focus();
    const place = rows(list).indexOf(row) + 1;
    say((list.dataset.moved ?? "{0}/{1}").replace("{0}", place).replace("{1}", all.length));
}

function remove(list, row) {
    const next = row.nextElementSibling ?? row.previousElementSibling;
    row.remove();
    (next?.querySelector("button, input") ?? list.closest("form").querySelector("[data-media-list] button"))?.focus();
}

function append(list, item) {
    const model = list.parentElement.querySelector("template[data-row-model]");
    const row = model.content.firstElementChild.cloneNode(true);
    row.querySelector("[data-media]").value = item.id;
    const picture = row.querySelector("img");
    if (item.picture) picture.src = item.picture;
    row.querySelector("[data-name]").textContent = item.name;
    list.append(row);
    renumber(list);
    row.dispatchEvent(new CustomEvent("fragment", { bubbles: true }));
}

function changed(list) {
    renumber(list);
    list.dispatchEvent(new Event("input", { bubbles: true }));
}

function renumber(list) {
    for (const [index, row] of rows(list).entries()) {
        for (const field of row.querySelectorAll("[name], [id], [for], [aria-describedby]")) {
            for (const attribute of ["name", "id", "for", "aria-describedby"]) {
                const value = field.getAttribute(attribute);
                if (value) field.setAttribute(attribute, value.replace(/pictures([._-])(\d+|N)/g, `pictures$1${index}`));
            }
            if (field.name === "do") field.value = field.value.replace(/ .*/, ` ${index}`);
        }
        const number = row.querySelector("[data-number]");
        if (number) number.textContent = index + 1;
    }
    list.closest("form").toggleAttribute("data-has-pictures", rows(list).length > 0);
}

