// What was done is said once: a reload does not say it again, and it goes by itself unless it offers something.

export function improveToasts() {
    const region = document.getElementById("toasts");
    const words = region?.querySelector(".toast p");
    if (!words) return;
    const address = new URL(location.href);
    address.searchParams.delete("done");
    address.searchParams.delete("undo");
    history.replaceState(history.state, "", address);
    // Screen readers say what changes in a region after it is there.
    const said = words.textContent;
    words.textContent = "";
    requestAnimationFrame(() => { words.textContent = said; });
    if (!region.querySelector("form")) setTimeout(() => words.parentElement.remove(), 8000);
}
