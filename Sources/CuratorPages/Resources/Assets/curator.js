// Scripts of every page. All pages also work without them.
import { improveDialogs } from "./dialogs.js";
import { improveTimes } from "./times.js";
import { keepForms } from "./keeping.js";
import { guardSession } from "./session.js";
import { showPresence } from "./presence.js";
import { improveCopying } from "./copying.js";
import { improveToasts } from "./toasts.js";
import { refreshRegions } from "./refresh.js";

improveTimes(document);
improveDialogs(document);
improveCopying(document);
improveToasts();
keepForms(document);
document.addEventListener("fragment", event => keepForms(event.target));
guardSession(document);
showPresence(document);
refreshRegions(document);

// A link or token is shown once, in the answer to a form. A reload would send the form again and make another one.
const once = document.querySelector("[data-once]");
if (once) history.replaceState(history.state, "", once.dataset.once);

// The list of mistakes of a refused form gets the focus.
document.querySelector(".error-summary")?.focus();

// A click elsewhere, or Escape, closes menus.
document.addEventListener("click", event => {
    for (const menu of document.querySelectorAll("details.menu[open], .bar details[open]")) {
        if (!menu.contains(event.target)) menu.open = false;
    }
});
document.addEventListener("keydown", event => {
    if (event.key !== "Escape") return;
    for (const menu of document.querySelectorAll("details.menu[open], .bar details[open]")) {
        menu.open = false;
        menu.querySelector("summary").focus();
    }
});
