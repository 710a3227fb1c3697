// While something is pressed nothing moves away from under the finger: a button that is put elsewhere meanwhile, or made
// anew, would get no click.

/** In milliseconds. Whoever holds longer scrolls, or selects. */
const longest = 1500;
/** A click comes a little after the finger has left. */
const clickTime = 100;

let until = 0;

const hold = (time) => () => (until = performance.now() + time);
addEventListener("pointerdown", hold(longest), { passive: true, capture: true });
for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, hold(clickTime), { passive: true, capture: true });
// What the click changes is shown at once.
addEventListener("click", () => (until = 0), { passive: true, capture: true });

export const isPressed = () => performance.now() < until;
