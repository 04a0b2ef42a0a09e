// The heart rate of a person as text, or why there is none and what to do; never an old value.

import { text } from "./strings.js";
import { zoneRange, zoneTitle } from "./zones.js";

/** `number` (null if unknown), `title`, `range` (of the zone, or else per cent), `hint`, `zone`, `zones` and `isAlert`. */
export function heartText(person, isConnected) {
  const heart = person?.heart ?? { state: "waiting" };
  const device = heart.device ?? text("strap");
  if (!isConnected) return problem("noUpdates", device);
  switch (heart.state) {
    case "measured": return measured(heart, person.workout?.zoneBounds ?? []);
    case "noContact": return problem("noContact", device);
    case "lost": return problem("lost", device);
    default: return { ...problem("waiting", device), isAlert: false };
  }
}

function problem(state, device) {
  const title = text(`heart.${state}`);
  // What to do about missing updates is said at the top of the page.
  const hint = state === "noUpdates" ? "" : text(`heart.${state}.hint`, { device });
  return { number: null, title, range: "", hint, zone: 0, zones: 0, isAlert: true };
}

function measured(heart, bounds) {
  const { rate, zone, zones = bounds.length, percent } = heart;
  const range = zone === undefined ? "" : zoneRange(zone, bounds);
  return {
    number: String(Math.round(rate)),
    title: zone === undefined ? text("perMinute") : zoneTitle(zone, zones),
    range: range ? `${range} /min` : ofMaximum(percent),
    hint: "",
    zone: zone ?? 0,
    zones,
    isAlert: false,
  };
}

function ofMaximum(percent) {
  return percent === undefined ? "" : text("heart.percent", { percent: Math.round(percent) });
}

const lowBattery = 20; // per cent

/** Whether the battery of the strap should be changed. */
export const isBatteryLow = (heart) => heart?.battery <= lowBattery;

/** `Polar H10 · battery 80 %`, and whether it is another strap than usual. */
export function strapText({ heart } = {}) {
  if (heart?.state !== "measured") return "";
  const name = heart.device ?? "";
  const parts = [heart.backup ? text("backup", { name }) : name];
  if (heart.battery !== undefined) parts.push(text("battery", { percent: heart.battery }));
  return parts.filter(Boolean).join(" · ");
}
