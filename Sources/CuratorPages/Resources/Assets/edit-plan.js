// A plan that can be enlarged, in a box that scrolls, and the beacons on it. They are moved with the pointer, with the
// arrow keys (with Shift by ten), or by the number fields beside the plan, which are sent.
export function start(root) {
    for (const plan of root.querySelectorAll("svg[data-plan]")) enhance(plan);
}

// In pixels of the screen at any size and enlargement. Large enough for a finger.
const radius = 12;
const letter = 13;
const largest = 8;

/** Enlarges the plan around the middle of the box. Marks keep their size. */
function enlarge(plan) {
    const view = plan.closest("[data-plan-view]");
    const image = plan.querySelector("image");
    const size = plan.viewBox.baseVal;
    let scale = 1;
    const draw = () => {
        const unit = size.width / (plan.getBoundingClientRect().width || size.width);
        plan.style.setProperty("--unit", unit);
        for (const circle of plan.querySelectorAll(".plan-mark circle")) circle.setAttribute("r", radius * unit);
        for (const words of plan.querySelectorAll(".plan-mark text")) {
            words.setAttribute("font-size", letter * unit);
            words.setAttribute("y", -(radius + 4) * unit);
        }
    };
    new ResizeObserver(draw).observe(plan);
    draw();
    const buttons = [...view.parentElement.querySelectorAll("[data-zoom]")];
    const show = () => {
        for (const button of buttons) {
            const isEnd = scale === (button.dataset.zoom === "in" ? largest : 1);
            button.setAttribute("aria-disabled", isEnd);
        }
    };
    for (const button of buttons) {
        button.addEventListener("click", () => {
            const middle = ["Width", "Height"].map((side, axis) =>
                (view[axis ? "scrollTop" : "scrollLeft"] + view[`client${side}`] / 2) / view[`scroll${side}`]);
            scale = Math.min(largest, Math.max(1, button.dataset.zoom === "in" ? scale * 2 : scale / 2));
            plan.style.width = `${scale * 100}%`;
            // The small version would be blurred.
            if (scale > 1 && image?.dataset.whole) image.setAttribute("href", image.dataset.whole);
            draw();
            view.scrollTo({
                left: middle[0] * view.scrollWidth - view.clientWidth / 2,
                top: middle[1] * view.scrollHeight - view.clientHeight / 2, behavior: "instant",
            });
            show();
        });
    }
    show();
}

function enhance(plan) {
    const form = document.getElementById(plan.dataset.plan);
    const size = plan.viewBox.baseVal;
    enlarge(plan);
    for (const mark of plan.querySelectorAll("[data-beacon]")) prepare(mark);

    function fields(mark) {
        return ["x", "y"].map((axis) => form.elements.namedItem(`place.${mark.dataset.beacon}.${axis}`));
    }

    function draw(mark) {
        const [x, y] = fields(mark).map((field) => Number(field.value.replace(",", ".")));
        const isThere = fields(mark).every((field) => field.value.trim() !== "") && x >= 0 && x <= 100 && y >= 0 && y <= 100;
        mark.classList.toggle("is-unplaced", !isThere);
        mark.toggleAttribute("hidden", !isThere);
        // Pressed again, it would put the beacon back into the middle.
        form.querySelector(`[data-put="${CSS.escape(mark.dataset.beacon)}"]`)?.classList.toggle("is-put", isThere);
        if (isThere) mark.setAttribute("transform", `translate(${(x * size.width) / 100} ${(y * size.height) / 100})`);
    }

    function put(mark, x, y) {
        const share = (value) => String(Math.min(100, Math.max(0, Math.round(value * 10) / 10)));
        const [first, second] = fields(mark);
        first.value = share(x);
        second.value = share(y);
        first.dispatchEvent(new Event("input", { bubbles: true }));
    }

    function prepare(mark) {
        mark.setAttribute("tabindex", "0");
        mark.setAttribute("role", "button");
        mark.setAttribute("aria-label", mark.querySelector("title")?.textContent ?? "");
        for (const field of fields(mark)) field.addEventListener("input", () => draw(mark));
        mark.addEventListener("keydown", (event) => {
            const step = event.shiftKey ? 10 : 1;
            const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key];
            if (!by) return;
            event.preventDefault();
            const [x, y] = fields(mark).map((field) => Number(field.value.replace(",", ".")) || 0);
            put(mark, x + by[0], y + by[1]);
        });
        mark.addEventListener("pointerdown", (event) => {
            if (event.button !== 0) return;
            event.preventDefault();
            mark.focus();
            mark.setPointerCapture(event.pointerId);
        });
        mark.addEventListener("pointermove", (event) => {
            if (!mark.hasPointerCapture(event.pointerId)) return;
            const box = plan.getBoundingClientRect();
            put(mark, ((event.clientX - box.left) / box.width) * 100, ((event.clientY - box.top) / box.height) * 100);
        });
        draw(mark);
    }

    /**
     * A position beside marks that are already in the middle, because only the topmost mark at a position is visible.
     */
    function free() {
        const marks = [...plan.querySelectorAll("[data-beacon]:not([hidden])")];
        const places = marks.map((mark) => fields(mark).map((field) => Number(field.value.replace(",", "."))));
        let x = 50;
        while (x < 95 && places.some(([left, top]) => Math.abs(left - x) < 4 && Math.abs(top - 50) < 4)) x += 5;
        return x;
    }

    // A beacon without a position is put into the middle. From there it can be dragged.
    form.addEventListener("click", (event) => {
        const button = event.target.closest("[data-put]");
        const mark = button && plan.querySelector(`[data-beacon="${CSS.escape(button.dataset.put)}"]`);
        if (!mark) return;
        event.preventDefault();
        put(mark, free(), 50);
        mark.focus();
    });
}
