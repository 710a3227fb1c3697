// What every page does if scripts run. Without them all pages work as well.
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

// What is shown once is the answer to a form, which a reload would send again: it would make another link or token.
const once = document.querySelector("[data-once]");
if (once) history.replaceState(history.state, "", once.dataset.once);

// A refused form says first what is to be corrected.
document.querySelector(".error-summary")?.focus();

// Menus close when somebody turns to something else.
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
