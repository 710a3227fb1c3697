// Sets the focal point of a picture by a click or by dragging. The two number fields work with the keyboard.
export function start(root) {
    for (const place of root.querySelectorAll("[data-focal]")) enhance(place);
}

function enhance(place) {
    const form = document.getElementById(place.dataset.focal) ?? place.closest("form");
    const fields = ["x", "y"].map((axis) => form.elements.namedItem(`focal_point.${axis}`));
    const picture = place.querySelector("img");
    const mark = document.createElement("span");
    mark.className = "focal-mark";
    mark.hidden = true;
    place.append(mark);
    const draw = () => {
        const [x, y] = fields.map((field) => Number(field.value.replace(",", ".")));
        mark.hidden = fields.some((field) => field.value.trim() === "") || !(x >= 0 && x <= 100 && y >= 0 && y <= 100);
        mark.style.left = `${x}%`;
        mark.style.top = `${y}%`;
    };
    const put = (event) => {
        const box = picture.getBoundingClientRect();
        const share = (value) => Math.min(100, Math.max(0, Math.round(value * 1000) / 10));
        fields[0].value = share((event.clientX - box.left) / box.width);
        fields[1].value = share((event.clientY - box.top) / box.height);
        fields[0].dispatchEvent(new Event("input", { bubbles: true }));
    };
    picture.draggable = false;
    picture.addEventListener("pointerdown", (event) => {
        if (event.button !== 0) return;
        event.preventDefault();
        picture.setPointerCapture(event.pointerId);
        put(event);
    });
    picture.addEventListener("pointermove", (event) => { if (picture.hasPointerCapture(event.pointerId)) put(event); });
    for (const field of fields) field.addEventListener("input", draw);
    draw();
}
