// Fields show times in the browser's time zone, and send them in UTC.
export function start(root) {
    for (const field of root.querySelectorAll("input[type=datetime-local][data-utc]")) enhance(field);
}

function enhance(field) {
    if (field.dataset.zone) return;
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
    field.dataset.zone = zone;
    // When clocks are set back, an hour occurs twice and the field does not say which. An unchanged time is not
    // converted.
    const before = field.value;
    if (before) field.value = local(new Date(`${before}Z`));
    const shown = field.value;
    for (const place of field.closest(".field")?.querySelectorAll("[data-zone-name]") ?? []) place.textContent = zone;
    field.form?.addEventListener("formdata", (event) => {
        const value = event.formData.get(field.name);
        const time = value && new Date(value === shown ? `${before}Z` : value);
        if (time && !Number.isNaN(time.getTime())) event.formData.set(field.name, time.toISOString());
    });
}

function local(time) {
    const two = (number) => String(number).padStart(2, "0");
    return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
        + `T${two(time.getHours())}:${two(time.getMinutes())}`;
}
