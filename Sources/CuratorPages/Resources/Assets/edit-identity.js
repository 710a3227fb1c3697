// A beacon's identity, pasted as UUID/major/minor into any of its fields, or chosen from what devices receive.
export function start(root) {
    for (const group of root.querySelectorAll("[data-identity]")) enhance(group);
}

const whole = /^\s*([0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12})[\s/,;]+(\d{1,5})[\s/,;]+(\d{1,5})\s*$/i;

function enhance(group) {
    const form = group.closest("form");
    const fill = (uuid, major, minor) => {
        form.elements.namedItem("uuid").value = uuid.toUpperCase();
        form.elements.namedItem("major").value = major;
        form.elements.namedItem("minor").value = minor;
        form.elements.namedItem("minor").dispatchEvent(new Event("input", { bubbles: true }));
    };
    group.addEventListener("paste", (event) => {
        const found = whole.exec(event.clipboardData.getData("text"));
        if (!found) return;
        event.preventDefault();
        fill(found[1], found[2], found[3]);
    });
    group.addEventListener("click", (event) => {
        const button = event.target.closest("[data-uuid]");
        if (!button) return;
        event.preventDefault();
        fill(button.dataset.uuid, button.dataset.major, button.dataset.minor);
        const name = form.elements.namedItem("name");
        if (name && !name.value) name.focus();
    });
}
