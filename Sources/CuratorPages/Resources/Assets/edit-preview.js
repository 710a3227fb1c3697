// Shows what the content will look like while it is typed.
import { element } from "./dom.js";

export function start(root) {
    for (const place of root.querySelectorAll("[data-preview]")) enhance(place);
}

function enhance(place) {
    const form = place.closest("form");
    let next = 0;
    const soon = () => {
        cancelAnimationFrame(next);
        next = requestAnimationFrame(() => draw(place, form));
    };
    form.addEventListener("input", soon);
    form.addEventListener("media", soon);
    draw(place, form);
}

function draw(place, form) {
    const value = (name) => form.elements.namedItem(name)?.value?.trim() ?? "";
    const kind = value("kind");
    const parts = [];
    const pictures = [...form.querySelectorAll("[data-row] img")].filter((each) => each.getAttribute("src"));
    if (kind === "image") parts.push(...pictures.slice(0, 1).map(copy));
    if (kind === "gallery") parts.push(element("div", { class: "preview-strip" }, ...pictures.map(copy)));
    if (kind === "video") parts.push(element("p", { class: "preview-video" }, "▶ ", element("bdi", {}, video(form, value))));
    if (kind === "map") parts.push(...pictures.slice(0, 1).map(copy), map(value("coordinates"), place));
    const over = value("action.overlay_text");
    if (over && value("action.kind")) parts.push(element("p", { class: "preview-over", dir: "auto" }, over));
    if (value("label")) parts.push(element("p", { class: "preview-label", dir: "auto" }, value("label")));
    if (value("action.kind") && (kind === "image" || kind === "map")) {
        const name = value("action.name") || value("action.value");
        if (name) parts.push(element("span", { class: "button preview-action", dir: "auto" }, name));
    }
    if (!parts.length) parts.push(element("p", { class: "muted" }, place.dataset.empty));
    place.replaceChildren(...parts);
}

function copy(picture) {
    return element("img", { src: picture.src, alt: "" });
}

function video(form, value) {
    const option = form.querySelector("select[name=video]")?.selectedOptions[0];
    return option?.value ? option.textContent : value("video_url");
}

/** Coordinates on a map of the world that has only a grid of degrees. */
function map(text, place) {
    const found = /^\s*(-?\d+(?:[.,]\d+)?)\s*[,; ]\s*(-?\d+(?:[.,]\d+)?)\s*$/.exec(text.replace(/[°NE]/gi, ""));
    const latitude = Number(found?.[1]?.replace(",", "."));
    const longitude = Number(found?.[2]?.replace(",", "."));
    if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) {
        return element("p", { class: "muted" }, place.dataset.nowhere);
    }
    const space = "http://www.w3.org/2000/svg";
    const make = (name, attributes) => {
        const made = document.createElementNS(space, name);
        for (const [key, each] of Object.entries(attributes)) made.setAttribute(key, each);
        return made;
    };
    const picture = make("svg", { viewBox: "-180 -90 360 180", class: "preview-map", role: "img" });
    picture.setAttribute("aria-label", `${latitude}°, ${longitude}°`);
    for (let each = -150; each < 180; each += 30) picture.append(make("line", { x1: each, x2: each, y1: -90, y2: 90 }));
    for (let each = -60; each < 90; each += 30) picture.append(make("line", { y1: each, y2: each, x1: -180, x2: 180 }));
    picture.append(make("circle", { cx: longitude, cy: -latitude, r: 6 }));
    const caption = element("figcaption", {}, `${latitude}°, ${longitude}°`);
    return element("figure", {}, picture, caption);
}
