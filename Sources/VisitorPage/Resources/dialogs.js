// Dialogs that fill the screen: pictures, and pages of the site in a sandbox.

import { make, own } from "./dom.js";
import { isRightToLeft } from "./direction.js";

let open = null;

export const openDialog = () => open;

function show(label, className, ...children) {
  closeDialog();
  // The button gets the focus, because a foreign frame would keep all keys to itself.
  const close = make("button", { class: "close", type: "button", autofocus: true, "aria-label": "Close", onclick: () => dialog.close() }, "×");
  const dialog = make("dialog", { class: className, "aria-label": label }, close, ...children);
  // A click beside the content closes the dialog, as people expect.
  dialog.onclick = (event) => event.target === dialog && dialog.close();
  dialog.onclose = () => {
    if (open === dialog) setOpen(null);
    dialog.remove();
  };
  document.body.append(dialog);
  dialog.showModal();
  setOpen(dialog);
  return dialog;
}

/** Informs modules that have an element in the open dialog, so that they take it back before the dialog closes. */
function setOpen(dialog) {
  open = dialog;
  document.dispatchEvent(new CustomEvent("dialog-changed"));
}

export function closeDialog() {
  const dialog = open;
  if (!dialog) return;
  setOpen(null);
  dialog.close();
}

/**
 * HTML of the site. It runs no scripts, has no origin, and loads nothing from elsewhere: it inherits the policy of
 * frame.html, which allows only styles and pictures.
 */
export function showPage(title, html) {
  const frame = make("iframe", { class: "page-frame", src: "page/frame.html", title });
  frame.onload = () => {
    const inner = frame.contentDocument?.querySelector("iframe");
    if (inner) inner.srcdoc = html;
  };
  show(title, "page-dialog", frame);
}

/** A sequence of pictures `{address, alt}` with arrow keys and buttons. */
export function showPictures(label, pictures, first = 0) {
  let at = first;
  const image = make("img", { alt: "" });
  const count = make("p", { class: "count", "aria-live": "polite", ...own });
  const several = pictures.length > 1;
  const go = (step) => {
    at = (at + step + pictures.length) % pictures.length;
    image.src = pictures[at].address;
    image.alt = pictures[at].alt ?? `${label}, picture ${at + 1} of ${pictures.length}`;
    count.textContent = several ? `${at + 1} of ${pictures.length}` : "";
  };
  const dialog = show(
    label,
    "picture-dialog",
    several && make("button", { class: "step back", type: "button", "aria-label": "Picture before", onclick: () => go(-1) }, "‹"),
    several && make("button", { class: "step forth", type: "button", "aria-label": "Next picture", onclick: () => go(1) }, "›"),
    make("figure", {}, image, make("figcaption", {}, make("p", { dir: "auto" }, label), count)),
  );
  dialog.onkeydown = (event) => {
    const forth = isRightToLeft() ? -1 : 1;
    if (event.key === "ArrowLeft") go(-forth);
    if (event.key === "ArrowRight") go(forth);
  };
  go(0);
}
