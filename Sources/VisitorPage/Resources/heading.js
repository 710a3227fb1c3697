// Shows the name of a place as large as it fits into three lines.

import { byID } from "./dom.js";

const mostLines = 3;
const sizes = [1, 0.88, 0.77, 0.67, 0.58, 0.5, 0.43, 0.37, 0.32, 0.28];

export function fitHeading() {
  const heading = byID("name");
  for (const size of sizes) {
    heading.style.setProperty("--fit", size);
    if (linesOf(heading) <= mostLines) return;
  }
}

function linesOf(heading) {
  const range = document.createRange();
  range.selectNodeContents(heading);
  return Math.round(range.getBoundingClientRect().height / parseFloat(getComputedStyle(heading).lineHeight));
}

addEventListener("resize", fitHeading);
