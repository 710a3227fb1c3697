// Selects a part of a picture with a frame that the pointer draws and moves. The number fields are sent, and work with
// the keyboard.
export function start(root) {
    for (const place of root.querySelectorAll("[data-crop]")) enhance(place);
}

const names = ["left", "top", "width", "height"];

function enhance(place) {
    const form = document.getElementById(place.dataset.crop);
    const fields = names.map((name) => form.elements.namedItem(name));
    const whole = [Number(place.dataset.width), Number(place.dataset.height)];
    const frame = document.createElement("div");
    frame.className = "crop-frame";
    for (const corner of ["nw", "ne", "sw", "se"]) {
        const handle = document.createElement("span");
        handle.className = `crop-handle ${corner}`;
        handle.dataset.corner = corner;
        frame.append(handle);
    }
    place.append(frame);

    const draw = () => {
        const [left, top, width, height] = fields.map((field) => Number(field.value));
        frame.hidden = !(width > 0 && height > 0 && left >= 0 && top >= 0
            && left + width <= whole[0] && top + height <= whole[1]);
        frame.style.left = `${(left / whole[0]) * 100}%`;
        frame.style.top = `${(top / whole[1]) * 100}%`;
        frame.style.width = `${(width / whole[0]) * 100}%`;
        frame.style.height = `${(height / whole[1]) * 100}%`;
    };
    const put = (values) => {
        for (const [index, field] of fields.entries()) field.value = Math.round(values[index]);
        fields[0].dispatchEvent(new Event("input", { bubbles: true }));
    };

    /** In pixels of the picture, within it. */
    const at = (event) => {
        const box = place.querySelector("img").getBoundingClientRect();
        const share = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
        return share.map((each, axis) => Math.min(1, Math.max(0, each)) * whole[axis]);
    };
    let drag;
    place.addEventListener("pointerdown", (event) => {
        // A finger beside the frame scrolls the page.
        const isFrame = frame.contains(event.target);
        if (event.button !== 0 || (!isFrame && event.pointerType !== "mouse")) return;
        event.preventDefault();
        place.setPointerCapture(event.pointerId);
        const [left, top, width, height] = fields.map((field) => Number(field.value));
        const corner = event.target.dataset?.corner;
        if (isFrame && !corner) drag = { from: at(event), area: [left, top, width, height] };
        else if (!isFrame) drag = { fixed: at(event) };
        else drag = { fixed: [left + (corner.endsWith("w") ? width : 0), top + (corner.startsWith("n") ? height : 0)] };
    });
    place.addEventListener("pointermove", (event) => {
        if (!drag || !place.hasPointerCapture(event.pointerId)) return;
        const point = at(event);
        if (drag.fixed) {
            const first = point.map((each, axis) => Math.round(Math.min(each, drag.fixed[axis])));
            const last = point.map((each, axis) => Math.round(Math.max(each, drag.fixed[axis])));
            put([...first, Math.max(1, last[0] - first[0]), Math.max(1, last[1] - first[1])]);
            return;
        }
        const [left, top, width, height] = drag.area;
        const moved = (value, size, axis) =>
            Math.min(whole[axis] - size, Math.max(0, value + point[axis] - drag.from[axis]));
        put([moved(left, width, 0), moved(top, height, 1), width, height]);
    });
    for (const kind of ["pointerup", "pointercancel"]) place.addEventListener(kind, () => { drag = null; });
    for (const field of fields) field.addEventListener("input", draw);
    place.querySelector("img").draggable = false;
    draw();
}
