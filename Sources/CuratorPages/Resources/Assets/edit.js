// Scripts that make the content pages easier. Each part looks for its own marks below a root: the document, or a
// fragment that was added later. Without scripts, all pages work by plain forms.
import * as crop from "./edit-crop.js";
import * as dialogs from "./edit-dialogs.js";
import * as drops from "./edit-drops.js";
import * as focal from "./edit-focal.js";
import * as identity from "./edit-identity.js";
import * as media from "./edit-media.js";
import * as moments from "./edit-moments.js";
import * as page from "./edit-page.js";
import * as plan from "./edit-plan.js";
import * as preview from "./edit-preview.js";
import * as rows from "./edit-rows.js";
import * as sorting from "./edit-sorting.js";

const parts = [dialogs, media, drops, rows, sorting, preview, moments, identity, focal, crop, plan, page];

function start(root) {
    for (const part of parts) part.start(root);
}

document.documentElement.classList.add("scripted");
document.addEventListener("fragment", (event) => start(event.target));
start(document);

// After saving, the focus is where it was before. The browser itself goes to that element when everything is loaded,
// which would take the focus away again.
function focusPlace() {
    const place = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!place) return;
    (place.matches("a, button, input, [tabindex]") ? place : place.querySelector("a, button, input"))?.focus();
}
if (document.readyState === "complete") focusPlace();
else addEventListener("load", () => setTimeout(focusPlace));
