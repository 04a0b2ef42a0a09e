// The wall: a tile for each person who agreed, as large as fits.

import { watchAccess } from "./access.js";
import { fitTiles, widthOfThreeDigits } from "./fit.js";
import { LiveFeed } from "./live.js";
import { drawOffline } from "./offline.js";
import { oncePerFrame, part, show, translate } from "./page.js";
import { text } from "./strings.js";
import { Tile } from "./tile.js";
import { keepScreenOn } from "./wakelock.js";

/** The height of a tile, and what it has beside its digits, in sizes of the digits (wall.css). */
const tileHeight = 1.5;
const padding = 0.18;

const tiles = new Map();
const redraw = oncePerFrame(draw);
const feed = new LiveFeed(null, redraw);

function draw() {
  const people = (feed.people ?? []).filter(({ wall }) => wall);
  drawOffline(feed);
  const isEmpty = feed.people && people.length === 0 && part("access").hidden;
  show(part("nobody"), isEmpty ? text("nobody.wall") : "");
  arrange(people.map(({ name }) => name));
  for (const person of people) tiles.get(person.name).draw(person, feed.isConnected);
}

/** The tiles of the people, in the order of the gateway. */
function arrange(names) {
  const isSame = names.length === tiles.size && names.every((name) => tiles.has(name));
  if (isSame) return;
  tiles.clear();
  for (const name of names) tiles.set(name, new Tile(name));
  part("tiles").replaceChildren(...[...tiles.values()].map(({ element }) => element));
  fit();
}

function fit() {
  const { clientWidth: width, clientHeight: height } = part("tiles");
  const tile = { width: widthOfThreeDigits() + padding, height: tileHeight };
  const { columns, size } = fitTiles(tiles.size, width, height, tile);
  part("tiles").style.setProperty("--columns", columns);
  part("tiles").style.setProperty("--size", `${Math.floor(size)}px`);
}

translate("title.wall");
new ResizeObserver(fit).observe(part("tiles"));
watchAccess("heartRate", [], () => {
  feed.reconnectIfDown();
  redraw();
});
keepScreenOn(true);
feed.run();
