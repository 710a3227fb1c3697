// Messages about what was done. A reload does not repeat them, and they disappear unless they offer an action.

export function improveToasts() {
    const region = document.getElementById("toasts");
    const words = region?.querySelector(".toast p");
    if (!words) return;
    const address = new URL(location.href);
    address.searchParams.delete("done");
    address.searchParams.delete("undo");
    history.replaceState(history.state, "", address);
    // Screen readers announce only later changes of a live region.
    const said = words.textContent;
    words.textContent = "";
    requestAnimationFrame(() => { words.textContent = said; });
    if (!region.querySelector("form")) setTimeout(() => words.parentElement.remove(), 8000);
}
