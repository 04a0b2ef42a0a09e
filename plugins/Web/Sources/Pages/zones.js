// The names, ranges and colours of heart rate zones.

import { text } from "./strings.js";

const names = ["veryLight", "light", "moderate", "hard", "maximum"];

/** `Zone 4 of 5, hard`; the five usual zones have names. */
export function zoneTitle(zone, count) {
  if (zone === 0) return text("zone.below");
  if (!count) return text("zone.number", { zone });
  return named(text("zone.of", { zone, count }), zone, count);
}

/** `Zone 4, hard`, where a bar or a table has the number of zones. */
export function zoneLabel(zone, count) {
  return zone === 0 ? text("zone.below") : named(text("zone.number", { zone }), zone, count);
}

/** A title with the name of the zone, if zones have names. */
function named(title, zone, count) {
  const name = count === names.length && names[zone - 1];
  return name ? `${title}, ${text(`zone.${name}`)}` : title;
}

/** `152–169`: the whole numbers in a zone; empty if the bounds are unknown. */
export function zoneRange(zone, bounds) {
  const first = bounds.map(Math.ceil);
  if (first.length === 0 || zone > first.length) return "";
  if (zone === 0) return `<${first[0]}`;
  return zone === first.length ? `≥${first[zone - 1]}` : `${first[zone - 1]}–${first[zone] - 1}`;
}

/** The colour of a zone, 1 (cool) to 5 (hot); 0 for none. */
export function zoneColour(zone, count) {
  return zone > 0 && count > 0 ? Math.ceil((Math.min(zone, count) * names.length) / count) : 0;
}

/** Draws a bar with as many parts as there are zones, filled up to the present one. */
export function drawZoneBar(bar, zone, count) {
  if (bar.childElementCount !== count) {
    bar.replaceChildren(...Array.from({ length: count }, () => document.createElement("i")));
  }
  [...bar.children].forEach((part, place) => part.classList.toggle("full", place < zone));
}
