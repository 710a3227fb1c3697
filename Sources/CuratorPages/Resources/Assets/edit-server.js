// What all parts need to speak with the server.
import { csrf, element, text } from "./dom.js";

/** Sends fields as a form does. The answer is followed through redirections. */
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
 * Uploads one file, and tells how much of it is through, from 0 to 1.
 * Returns what the server says about the file; throws an error with the server's words.
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

/** Why the server has refused something, in its own words: they stand in JSON or on a page. */
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

/** What a selector names on another page. Throws an error with words if that page does not come. */
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

/** Whoever is signed out is led to the page for signing in. */
export function isSignIn(response) {
    return new URL(response.url).pathname === "/sign-in";
}

/** What a selector names, or all that stands in `main`. */
export function part(html, selector) {
    const page = parsed(html);
    return document.adoptNode(page.querySelector(selector) ?? page.querySelector("main") ?? page.body);
}

export function parsed(html) {
    return new DOMParser().parseFromString(html, "text/html");
}

/** Says something to those who see and to those who hear. */
export function say(words) {
    const place = document.getElementById("said") ?? element("p", { id: "said", class: "said", role: "status" });
    // A modal dialog hides everything outside of it.
    const dialogs = document.querySelectorAll("dialog[open]");
    (dialogs[dialogs.length - 1] ?? document.body).append(place);
    place.textContent = words;
}

/** What stands in for a field that is not seen any more: the list of mistakes leads there. */
export function standIn(field, shown) {
    shown.id ||= `${field.id}-shown`;
    for (const link of document.querySelectorAll(".error-summary a")) {
        if (link.hash === `#${field.id}`) link.href = `#${shown.id}`;
    }
}

/** Goes to an address even if only the part after # differs. */
export function go(address) {
    const target = new URL(address, location.href);
    const isHere = target.pathname + target.search === location.pathname + location.search;
    location.href = target.href;
    if (isHere) location.reload();
}
