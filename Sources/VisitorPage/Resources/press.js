// Nothing moves away while it is pressed. A button that is moved or replaced meanwhile would get no click.

/** In milliseconds. A longer press scrolls or selects. */
const longest = 1500;
/** In milliseconds. The click comes shortly after the finger has left. */
const clickTime = 100;

let until = 0;

const hold = (time) => () => (until = performance.now() + time);
addEventListener("pointerdown", hold(longest), { passive: true, capture: true });
for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, hold(clickTime), { passive: true, capture: true });
// The change that a click makes is shown at once.
addEventListener("click", () => (until = 0), { passive: true, capture: true });

export const isPressed = () => performance.now() < until;
