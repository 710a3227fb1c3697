// Small helpers. Texts become text nodes, never markup.

/** An element with attributes and children; strings become text. */
export function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
        if (value === false || value == null) continue;
        made.setAttribute(key, value === true ? "" : value);
    }
    made.append(...children);
    return made;
}

/** An icon of icons.svg. Emoji would need a font that not every computer has. */
export function icon(name) {
    const space = "http://www.w3.org/2000/svg";
    const made = document.createElementNS(space, "svg");
    made.setAttribute("class", "icon");
    made.setAttribute("aria-hidden", "true");
    const use = document.createElementNS(space, "use");
    use.setAttribute("href", `/assets/icons.svg#${name}`);
    made.append(use);
    return made;
}

/** A text of the page's language; `{0}` and so on are replaced. The texts are data-… attributes of #texts. */
export function text(name, ...values) {
    const found = document.getElementById("texts")?.dataset[name] ?? "";
    return found.replace(/\{(\d)\}/g, (all, index) => values[index] ?? all);
}

/** Shows a message for a short time, and announces it to screen readers. */
export function toast(words) {
    const made = element("div", { class: "toast" }, element("p", {}, words));
    document.getElementById("toasts")?.append(made);
    setTimeout(() => made.remove(), 8000);
    return made;
}

/** The token without which the server accepts no change from a script. */
export function csrf() {
    return document.body.dataset.csrf ?? "";
}
