// Beacons on a plan: dragged with the pointer, moved with the arrow keys (with Shift by ten), or by the number fields
// beside the plan, which are what is sent.
export function start(root) {
    for (const plan of root.querySelectorAll("svg[data-plan]")) enhance(plan);
}

function enhance(plan) {
    const form = document.getElementById(plan.dataset.plan);
    const size = plan.viewBox.baseVal;
    for (const mark of plan.querySelectorAll("[data-beacon]")) prepare(mark);

    function fields(mark) {
        return ["x", "y"].map((axis) => form.elements.namedItem(`place.${mark.dataset.beacon}.${axis}`));
    }

    function draw(mark) {
        const [x, y] = fields(mark).map((field) => Number(field.value.replace(",", ".")));
        const isThere = fields(mark).every((field) => field.value.trim() !== "") && x >= 0 && x <= 100 && y >= 0 && y <= 100;
        mark.classList.toggle("is-unplaced", !isThere);
        mark.toggleAttribute("hidden", !isThere);
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

    // A beacon without a place is put into the middle, and can then be dragged.
    form.addEventListener("click", (event) => {
        const button = event.target.closest("[data-put]");
        const mark = button && plan.querySelector(`[data-beacon="${CSS.escape(button.dataset.put)}"]`);
        if (!mark) return;
        event.preventDefault();
        put(mark, 50, 50);
        mark.focus();
    });
}
