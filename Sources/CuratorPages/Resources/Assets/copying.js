// <button data-copies="id"> copies the text or value of an element.
import { text, toast } from "./dom.js";

export function improveCopying(root) {
    for (const button of root.querySelectorAll("[data-copies]")) {
        button.hidden = !navigator.clipboard;
        button.addEventListener("click", async () => {
            const source = document.getElementById(button.dataset.copies);
            await navigator.clipboard.writeText(source.value ?? source.textContent);
            toast(text("copied"));
        });
    }
}
