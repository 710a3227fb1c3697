// <button data-opens="id"> opens a <dialog id>, which keeps the focus, and returns it when it closes. data-closes
// closes it.

export function improveDialogs(root) {
    root.addEventListener("click", event => {
        const opener = event.target.closest("[data-opens]");
        const dialog = opener && document.getElementById(opener.dataset.opens);
        if (dialog instanceof HTMLDialogElement) {
            event.preventDefault();
            dialog.showModal();
            dialog.addEventListener("close", () => opener.focus(), { once: true });
            return;
        }
        const closer = event.target.closest("[data-closes]");
        if (closer) {
            event.preventDefault();
            closer.closest("dialog")?.close();
        } else if (event.target instanceof HTMLDialogElement) {
            // A click on the backdrop is an event of the dialog itself, outside its box.
            const box = event.target.getBoundingClientRect();
            const isInside = event.clientX >= box.left && event.clientX <= box.right
                && event.clientY >= box.top && event.clientY <= box.bottom;
            if (!isInside && !event.target.querySelector("form[data-keep]")) event.target.close();
        }
    });
}
