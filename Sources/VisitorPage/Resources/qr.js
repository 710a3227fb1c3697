// QR codes (ISO/IEC 18004), so that visitors can open links of a screen on a wall on their phones.
// Bytes only, error correction level M, versions 1 to 10.

import { draw } from "./dom.js";

/** By version: error correction codewords in each block, and the blocks' data codewords. */
const blocksOf = [
  [10, [16]], [16, [28]], [26, [44]], [18, [32, 32]], [24, [43, 43]], [16, [27, 27, 27, 27]], [18, [31, 31, 31, 31]],
  [22, [38, 38, 39, 39]], [22, [36, 36, 36, 37, 37]], [26, [43, 43, 43, 43, 44]],
];

/** By version: the rows and columns of alignment patterns. */
const alignments = [[], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]];

const masks = [
  (x, y) => (x + y) % 2 === 0,
  (x, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** A code as a drawing with its quiet zone; null for a text of more than 213 bytes. */
export function qrCode(text) {
  const modules = encode(new TextEncoder().encode(text));
  if (!modules) return null;
  let path = "";
  modules.forEach((row, y) => row.forEach((isDark, x) => (path += isDark ? `M${x} ${y}h1v1h-1z` : "")));
  const size = modules.length + 8;
  return draw(
    "svg",
    { class: "qr", viewBox: `-4 -4 ${size} ${size}`, role: "img", "aria-label": "QR code", "shape-rendering": "crispEdges" },
    draw("rect", { x: -4, y: -4, width: size, height: size, fill: "#fff" }),
    draw("path", { d: path, fill: "#000" }),
  );
}

/** Rows of modules, true for dark ones. */
function encode(bytes) {
  const version = blocksOf.findIndex(([, blocks], index) => bytes.length <= sum(blocks) - (index < 9 ? 2 : 3)) + 1;
  if (version === 0) return null;
  const codewords = interleave(dataOf(bytes, version), version);
  const { modules, isReserved } = frame(version);
  fill(modules, isReserved, codewords);
  const all = masks.map((_, mask) => masked(modules, isReserved, mask));
  return all.reduce((best, each) => (penalty(each) < penalty(best) ? each : best));
}

const sum = (numbers) => numbers.reduce((total, each) => total + each, 0);

// Data and error correction

/** Mode, length, bytes, terminator and padding (7.4). */
function dataOf(bytes, version) {
  const capacity = sum(blocksOf[version - 1][1]);
  const bits = [];
  const put = (value, count) => {
    for (let bit = count - 1; bit >= 0; bit -= 1) bits.push((value >>> bit) & 1);
  };
  put(4, 4);
  put(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) put(byte, 8);
  put(0, Math.min(4, capacity * 8 - bits.length));
  while (bits.length % 8) bits.push(0);
  for (let pad = 0xec; bits.length < capacity * 8; pad ^= 0xfd) put(pad, 8);
  return Array.from({ length: capacity }, (_, at) => bits.slice(at * 8, at * 8 + 8).reduce((byte, bit) => byte * 2 + bit, 0));
}

/** Blocks with their error correction, one codeword of each in turn (7.6). */
function interleave(data, version) {
  const [correction, lengths] = blocksOf[version - 1];
  const generator = generatorOf(correction);
  let start = 0;
  const blocks = lengths.map((length) => data.slice(start, (start += length)));
  const checks = blocks.map((block) => remainder(block, generator));
  const turns = (lists) =>
    Array.from({ length: Math.max(...lists.map((list) => list.length)) }, (_, at) => lists.filter((list) => at < list.length).map((list) => list[at])).flat();
  return [...turns(blocks), ...turns(checks)];
}

/** In GF(256) over x^8 + x^4 + x^3 + x^2 + 1. */
function multiply(one, other) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d);
    product ^= ((other >>> bit) & 1) * one;
  }
  return product;
}

/** (x - 1)(x - 2)(x - 4)… without its first coefficient, the highest power first. */
function generatorOf(degree) {
  const result = [...Array(degree - 1).fill(0), 1];
  for (let step = 0, root = 1; step < degree; step += 1, root = multiply(root, 2)) {
    for (let at = 0; at < degree; at += 1) result[at] = multiply(result[at], root) ^ (result[at + 1] ?? 0);
  }
  return result;
}

function remainder(data, generator) {
  const result = Array(generator.length).fill(0);
  for (const byte of data) {
    const factor = byte ^ result.shift();
    result.push(0);
    generator.forEach((coefficient, at) => (result[at] ^= multiply(coefficient, factor)));
  }
  return result;
}

// Modules

/** The fixed patterns, and the places for format and version. */
function frame(version) {
  const size = version * 4 + 17;
  const modules = Array.from({ length: size }, () => Array(size).fill(false));
  const isReserved = Array.from({ length: size }, () => Array(size).fill(false));
  const set = (x, y, isDark) => {
    if (x < 0 || y < 0 || x >= size || y >= size) return;
    modules[y][x] = isDark;
    isReserved[y][x] = true;
  };
  const rings = (x, y, reach, isDark) => {
    for (let dy = -reach; dy <= reach; dy += 1) {
      for (let dx = -reach; dx <= reach; dx += 1) set(x + dx, y + dy, isDark(Math.max(Math.abs(dx), Math.abs(dy))));
    }
  };
  for (let at = 0; at < size; at += 1) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]]) rings(x, y, 4, (ring) => ring !== 2 && ring !== 4);
  const places = alignments[version - 1];
  const last = places.length - 1;
  places.forEach((x, column) =>
    places.forEach((y, row) => {
      const isCorner = (column === 0 && (row === 0 || row === last)) || (column === last && row === 0);
      if (!isCorner) rings(x, y, 2, (ring) => ring !== 1);
    }),
  );
  writeFormat(set, size, 0);
  writeVersion(set, size, version);
  return { modules, isReserved };
}

/** Level M and the mask, with a BCH code, twice (7.9). */
function writeFormat(set, size, mask) {
  let rest = mask;
  for (let step = 0; step < 10; step += 1) rest = (rest << 1) ^ ((rest >>> 9) * 0x537);
  const bits = ((mask << 10) | rest) ^ 0x5412;
  const bit = (at) => ((bits >>> at) & 1) === 1;
  for (let at = 0; at < 6; at += 1) set(8, at, bit(at));
  set(8, 7, bit(6));
  set(8, 8, bit(7));
  set(7, 8, bit(8));
  for (let at = 9; at < 15; at += 1) set(14 - at, 8, bit(at));
  for (let at = 0; at < 8; at += 1) set(size - 1 - at, 8, bit(at));
  for (let at = 8; at < 15; at += 1) set(8, size - 15 + at, bit(at));
  set(8, size - 8, true);
}

/** From version 7 on, twice (7.10). */
function writeVersion(set, size, version) {
  if (version < 7) return;
  let rest = version;
  for (let step = 0; step < 12; step += 1) rest = (rest << 1) ^ ((rest >>> 11) * 0x1f25);
  const bits = (version << 12) | rest;
  for (let at = 0; at < 18; at += 1) {
    const isDark = ((bits >>> at) & 1) === 1;
    const [near, far] = [Math.floor(at / 3), size - 11 + (at % 3)];
    set(far, near, isDark);
    set(near, far, isDark);
  }
}

/** Codewords in columns of two, up and down from the right (7.7.3). */
function fill(modules, isReserved, codewords) {
  const size = modules.length;
  let at = 0;
  let isUp = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step += 1) {
      const y = isUp ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (isReserved[y][x]) continue;
        modules[y][x] = at < codewords.length * 8 && ((codewords[at >>> 3] >>> (7 - (at & 7))) & 1) === 1;
        at += 1;
      }
    }
    isUp = !isUp;
  }
}

function masked(modules, isReserved, mask) {
  const result = modules.map((row, y) => row.map((isDark, x) => (isReserved[y][x] ? isDark : isDark !== masks[mask](x, y))));
  writeFormat((x, y, isDark) => (result[y][x] = isDark), result.length, mask);
  return result;
}

/** The penalty of a code that is hard to read (7.8.3): long runs, blocks, patterns like a finder, unequal colours. */
function penalty(modules) {
  const size = modules.length;
  const lines = [...modules, ...modules.map((_, x) => modules.map((row) => row[x]))].map((line) => line.map((isDark) => (isDark ? "1" : "0")).join(""));
  let points = 0;
  for (const line of lines) {
    for (const [run] of line.matchAll(/0{5,}|1{5,}/g)) points += run.length - 2;
    points += 40 * (line.match(/(?=00001011101|10111010000)/g)?.length ?? 0);
  }
  for (let y = 0; y + 1 < size; y += 1) {
    for (let x = 0; x + 1 < size; x += 1) {
      const isDark = modules[y][x];
      if (isDark === modules[y][x + 1] && isDark === modules[y + 1][x] && isDark === modules[y + 1][x + 1]) points += 3;
    }
  }
  const dark = sum(modules.map((row) => row.filter(Boolean).length));
  return points + 10 * Math.floor(Math.abs((100 * dark) / (size * size) - 50) / 5);
}
