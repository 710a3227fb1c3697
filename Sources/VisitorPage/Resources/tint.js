// Gives the page's background a light tint of the current picture's colour.

const side = 12;

export function tintFrom(image) {
  const apply = () => {
    const colour = colourOf(image);
    if (colour) document.documentElement.style.setProperty("--tint", colour);
  };
  if (image.complete) apply();
  else image.addEventListener("load", apply, { once: true });
}

/** The mean of a picture's pixels. Colourful ones count more. */
function colourOf(image) {
  try {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = side;
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.drawImage(image, 0, 0, side, side);
    const { data } = context.getImageData(0, 0, side, side);
    const sum = [0, 0, 0, 0];
    for (let at = 0; at < data.length; at += 4) {
      const pixel = data.subarray(at, at + 3);
      const weight = 1 + Math.max(...pixel) - Math.min(...pixel);
      for (let channel = 0; channel < 3; channel += 1) sum[channel] += pixel[channel] * weight;
      sum[3] += weight;
    }
    return `rgb(${sum.slice(0, 3).map((value) => Math.round(value / sum[3])).join(" ")})`;
  } catch {
    return null;
  }
}
