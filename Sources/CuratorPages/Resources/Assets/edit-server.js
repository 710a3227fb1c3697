// What all parts need to speak with the server.
import { text } from "./dom.js";

/** The session's token against requests from other sites. */
export function csrf() {
    return document.querySelector("input[name=csrf]")?.value ?? document.querySelector("meta[name=csrf]")?.content ?? "";
}

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
        request.responseType = "json";
        request.upload.addEventListener("progress", (event) => {
            if (event.lengthComputable) progress?.(event.loaded / event.total);
        });
        request.addEventListener("load", () => {
            const answer = request.response;
            const item = answer?.files?.[0];
            if (item?.id) resolve(item);
            else reject(new Error(item?.problem ?? answer?.problem
                ?? text([401, 403].includes(request.status) ? "expired" : "failed")));
        });
        request.addEventListener("error", () => reject(new Error(text("failed"))));
        const body = new FormData();
        body.append("files", file, file.name);
        request.send(body);
    });
}

/** The part of a page that stands in its `main`, or what a selector names. */
export async function fragment(address, selector) {
    const response = await fetch(address, { credentials: "same-origin" });
    return part(await response.text(), selector);
}

export function part(html, selector) {
    const page = parsed(html);
    return document.adoptNode(page.querySelector(selector) ?? page.querySelector("main") ?? page.body);
}

export function parsed(html) {
    return new DOMParser().parseFromString(html, "text/html");
}

/** Says something to those who see and to those who hear. */
export function say(words) {
    let place = document.getElementById("said");
    if (!place) {
        place = document.createElement("p");
        place.id = "said";
        place.className = "said";
        place.setAttribute("role", "status");
        document.body.append(place);
    }
    // A modal dialog hides everything outside of it.
    const dialogs = document.querySelectorAll("dialog[open]");
    (dialogs[dialogs.length - 1] ?? document.body).append(place);
    place.textContent = words;
}

/** Goes to an address even if only the part after # differs. */
export function go(address) {
    const target = new URL(address, location.href);
    const isHere = target.pathname + target.search === location.pathname + location.search;
    location.href = target.href;
    if (isHere) location.reload();
}

export function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
        if (value === true) made.setAttribute(key, "");
        else if (value !== false && value != null) made.setAttribute(key, value);
    }
    made.append(...children);
    return made;
}
