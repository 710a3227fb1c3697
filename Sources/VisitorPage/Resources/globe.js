// A place on the earth as a small drawing: no tiles, no other hosts.

import { draw } from "./dom.js";

const radius = 100;

/** The globe seen from above a point a little beside the place, so that the pin stands out. */
export function globe({ latitude, longitude }) {
  const eye = { latitude: latitude - 14, longitude: longitude - 10 };
  const pin = project({ latitude, longitude }, eye);
  return draw(
    "svg",
    { viewBox: "-108 -108 216 216", class: "globe", "aria-hidden": "true" },
    draw("circle", { r: radius, class: "sea" }),
    draw("path", { d: graticule(eye), class: "graticule" }),
    draw("circle", { r: radius, class: "rim" }),
    draw("circle", { cx: pin.x, cy: pin.y, r: 9, class: "halo" }),
    draw("path", { d: `M${pin.x} ${pin.y}l-7 -16a8.5 8.5 0 1 1 14 0z`, class: "pin" }),
  );
}

/** The orthographic projection; z is below 0 on the far side. */
function project(place, eye) {
  const rad = Math.PI / 180;
  const phi = place.latitude * rad;
  const lambda = (place.longitude - eye.longitude) * rad;
  const phi0 = eye.latitude * rad;
  return {
    x: round(radius * Math.cos(phi) * Math.sin(lambda)),
    y: round(-radius * (Math.cos(phi0) * Math.sin(phi) - Math.sin(phi0) * Math.cos(phi) * Math.cos(lambda))),
    z: Math.sin(phi0) * Math.sin(phi) + Math.cos(phi0) * Math.cos(phi) * Math.cos(lambda),
  };
}

const round = (value) => Math.round(value * 10) / 10;

function graticule(eye) {
  let path = "";
  const line = (places) => {
    let isDown = false;
    for (const place of places) {
      const { x, y, z } = project(place, eye);
      path += z < 0 ? "" : `${isDown ? "L" : "M"}${x} ${y}`;
      isDown = z >= 0;
    }
  };
  const steps = (from, to, by) => Array.from({ length: Math.floor((to - from) / by) + 1 }, (_, index) => from + index * by);
  for (const latitude of steps(-75, 75, 15)) line(steps(-180, 180, 5).map((longitude) => ({ latitude, longitude })));
  for (const longitude of steps(-180, 165, 15)) line(steps(-90, 90, 5).map((latitude) => ({ latitude, longitude })));
  return path;
}
