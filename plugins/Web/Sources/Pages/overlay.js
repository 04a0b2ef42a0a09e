// The overlay for a streaming program: one person's heart rate on a transparent page.
//
// Parameters: person; size (of the digits, in pixels); color and background (of CSS);
// zone=no leaves the zone out.

import { heartText } from "./heart.js";
import { LiveFeed } from "./live.js";
import { oncePerFrame, parameter, part, show, translate } from "./page.js";
import { text } from "./strings.js";
import { drawZoneBar, zoneColour } from "./zones.js";

const sizes = { least: 16, most: 1000 };
const feed = new LiveFeed(parameter("person"), oncePerFrame(draw));

function draw() {
  if (!feed.people && !feed.problem) return;
  const person = feed.people?.[0];
  const heart = heartText(person, feed.isConnected);
  const hasZone = heart.number !== null && parameter("zone") !== "no";
  part("box").classList.toggle("unknown", heart.number === null);
  part("box").dataset.zone = zoneColour(heart.zone, heart.zones);
  show(part("rate"), heart.number ?? "–");
  show(part("title"), title(heart, hasZone));
  drawZoneBar(part("zones"), heart.zone, heart.zones);
  part("zones").hidden = !hasZone || !heart.zones;
}

function title(heart, hasZone) {
  if (feed.problem?.status) return feed.problem.message;
  if (feed.isConnected && feed.people.length === 0) {
    return text("nobody.named", { name: parameter("person") ?? "" });
  }
  return heart.number === null || hasZone ? heart.title : "";
}

/** The look that the address asks for; a colour that CSS does not know is ignored. */
function style() {
  const size = Number(parameter("size"));
  const { style: look } = part("box");
  if (size >= sizes.least && size <= sizes.most) look.setProperty("--size", `${size}px`);
  const properties = { color: "--chosen", background: "--ground" };
  for (const [name, property] of Object.entries(properties)) {
    const colour = parameter(name);
    if (colour && CSS.supports("color", colour)) look.setProperty(property, colour);
  }
}

translate("title.overlay");
style();
feed.run();
