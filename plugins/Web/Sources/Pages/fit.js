// Sizes that fit: digits into a width, tiles into a screen.

/** The width of three digits in a font of 1 px, as the browser draws them. */
export function widthOfThreeDigits() {
  const context = document.createElement("canvas").getContext("2d");
  context.font = `700 100px ${getComputedStyle(document.body).fontFamily}`;
  return context.measureText("000").width / 100;
}

/** The gap beside a tile with its borders, in pixels. */
const gap = 12;

/** The columns of a wall, and the size of its digits; `tile` has its width and height in digit heights. */
export function fitTiles(count, width, height, tile) {
  let best = { columns: 1, size: 0 };
  for (let columns = 1; columns <= count; columns += 1) {
    const rows = Math.ceil(count / columns);
    const size = Math.min(
      (width / columns - gap) / tile.width, (height / rows - gap) / tile.height);
    if (size > best.size) best = { columns, size };
  }
  return best;
}
