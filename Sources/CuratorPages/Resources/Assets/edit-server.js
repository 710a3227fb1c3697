// Requests to the server, for all parts.
import { csrf, element, text } from "./dom.js";

/** Sends fields as a form does. Redirects are followed. */
export function post(path, fields) {
    const body = new URLSearchParams(fields);
    return fetch(path, {
        method: "POST",
        body,
        headers: { "X-CSRF-Token": csrf(), Accept: "application/json" },
        credentials: "same-origin",
    });
}

/**
 * Uploads one file, and calls `progress` with the share that is sent, from 0 to 1.
 * Returns the server's description of the file. Throws an error with the server's message.
 */
export function upload(file, progress) {
    return new Promise((resolve, reject) => {
        const request = new XMLHttpRequest();
        request.open("POST", "/media");
        request.setRequestHeader("X-CSRF-Token", csrf());
        request.setRequestHeader("Accept", "application/json");
        request.upload.addEventListener("progress", (event) => {
            if (event.lengthComputable) progress?.(event.loaded / event.total);
        });
        request.addEventListener("load", () => {
            const [item] = json(request.response)?.files ?? [];
            if (item?.id) resolve(item);
            else reject(new Error(item?.problem ?? refusal(request.status, request.response)));
        });
        request.addEventListener("error", () => reject(new Error(text("failed"))));
        const body = new FormData();
        body.append("files", file, file.name);
        request.send(body);
    });
}

/** The server's message about a refusal, from JSON or from a page. */
export function refusal(status, body) {
    if ([401, 403].includes(status)) return text("expired");
    const page = parsed(body);
    const words = page.querySelector(".error-summary li") ?? page.querySelector("main [role=alert], .field-error");
    return json(body)?.problem ?? (words?.textContent.replace(/\s+/g, " ").trim() || text("failed"));
}

function json(body) {
    try {
        return JSON.parse(body);
    } catch {
        return null;
    }
}

/** The element of another page that matches a selector. Throws an error with a message if there is none. */
export async function fragment(address, selector) {
    let response, body;
    try {
        response = await fetch(address, { credentials: "same-origin" });
        body = await response.text();
    } catch {
        throw new Error(text("failed"));
    }
    const found = parsed(body).querySelector(selector);
    if (found) return document.adoptNode(found);
    throw new Error(isSignIn(response) ? text("expired") : refusal(response.status, body));
}

/** Whether the server has redirected to the sign-in page, because the session has ended. */
export function isSignIn(response) {
    return new URL(response.url).pathname === "/sign-in";
}

/** The element that matches a selector, otherwise `main`. */
export function part(html, selector) {
    const page = parsed(html);
    return document.adoptNode(page.querySelector(selector) ?? page.querySelector("main") ?? page.body);
}

export function parsed(html) {
    return new DOMParser().parseFromString(html, "text/html");
}

/** Shows a message, and announces it to screen readers. */
export function say(words) {
    const place = document.getElementById("said") ?? element("p", { id: "said", class: "said", role: "status" });
    // Outside a modal dialog, nothing is announced or visible.
    const dialogs = document.querySelectorAll("dialog[open]");
    (dialogs[dialogs.length - 1] ?? document.body).append(place);
    place.textContent = words;
}

/** Lets the list of mistakes link to the element that is shown instead of a hidden field. */
export function standIn(field, shown) {
    shown.id ||= `${field.id}-shown`;
    for (const link of document.querySelectorAll(".error-summary a")) {
        if (link.hash === `#${field.id}`) link.href = `#${shown.id}`;
    }
}

/** Goes to an address, and loads it even if only the part after # differs. */
export function go(address) {
    const target = new URL(address, location.href);
    const isHere = target.pathname + target.search === location.pathname + location.search;
    location.href = target.href;
    if (isHere) location.reload();
}
