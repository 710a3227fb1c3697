// Changes the order by dragging, with Sortable from /vendor/ if it is installed. The buttons that move by one work with
// the keyboard. With scripts, they keep the page and the focus.
import { post, refusal, say } from "./edit-server.js";

export function start(root) {
    for (const list of root.querySelectorAll("[data-sort]")) enhance(list);
    for (const list of root.querySelectorAll("[data-rows]")) drag(list, () => list.dispatchEvent(new Event("sorted")));
}

function enhance(list) {
    drag(list, () => save(list));
    list.addEventListener("submit", async (event) => {
        const by = event.submitter?.name === "by" && Number(event.submitter.value);
        if (!by) return;
        event.preventDefault();
        const item = event.submitter.closest("[data-id]");
        const all = items(list);
        const target = all[all.indexOf(item) + by];
        if (!target) return;
        if (by < 0) target.before(item);
        else target.after(item);
        number(list);
        // At an end of the list only the other button can be pressed.
        (event.submitter.disabled ? item.querySelector("[name=by]:enabled") : event.submitter)?.focus();
        await save(list, item);
    });
}

function items(list) {
    return [...list.querySelectorAll(":scope > [data-id]")];
}

// One request after the other, because two at once could arrive in the wrong order.
const sending = new WeakMap();

function save(list, item) {
    number(list);
    const turn = (sending.get(list) ?? Promise.resolve()).catch(() => {}).then(() => send(list, item));
    sending.set(list, turn);
    return turn;
}

async function send(list, item) {
    const order = items(list).map((each) => each.dataset.id);
    const answer = await post(list.dataset.sort, { order: order.join(",") }).catch(() => null);
    if (!answer) return say(list.dataset.failed);
    if (!answer.ok) return say(refusal(answer.status, await answer.text()));
    const place = item ? items(list).indexOf(item) + 1 : "";
    say(item ? list.dataset.moved.replace("{0}", place).replace("{1}", order.length) : list.dataset.saved);
}

function number(list) {
    const all = items(list);
    for (const [index, item] of all.entries()) {
        const place = item.querySelector("[data-number]");
        if (place) place.textContent = index + 1;
        for (const button of item.querySelectorAll("[name=by]")) {
            button.disabled = !all[index + Number(button.value)];
        }
    }
}

let library;

async function drag(list, end) {
    try {
        library ??= import("/vendor/sortable/Sortable.min.js");
        await library;
    } catch {
        return;
    }
    globalThis.Sortable?.create(list, {
        handle: "[data-handle]",
        animation: matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 150,
        // Dropped files are not items.
        filter: "input, textarea, select",
        preventOnFilter: false,
        delay: 150,
        delayOnTouchOnly: true,
        onEnd: (event) => { if (event.oldIndex !== event.newIndex) end(); },
    });
    list.classList.add("is-sortable");
}
