// Quantities as people read them, with the decimal sign of the language.

import { language } from "./strings.js";

const withPace = ["running", "walking", "hiking"];

/** `4:10`, `1:23:45`. */
export function clock(seconds) {
  const whole = Math.max(Math.floor(seconds), 0);
  const two = (number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0
    ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** `27.4`, `1.250`: rounded to a number of decimals. */
export function decimal(value, digits = 0) {
  const format = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(language, format).format(value);
}

/** `850 m`, `12.34 km`. */
export function distance(meters) {
  return Math.round(meters) < 1000 ? `${decimal(meters)} m` : `${decimal(meters / 1000, 2)} km`;
}

/** A pace for walking and running, otherwise a speed: the key of its label, and the text. */
export function speed(metersPerSecond, activity) {
  if (!withPace.includes(activity)) return ["speed", `${decimal(metersPerSecond * 3.6, 1)} km/h`];
  // Slower than one hour per kilometre counts as standing still.
  const isMoving = metersPerSecond > 1000 / 3600;
  return ["pace", `${isMoving ? clock(Math.round(1000 / metersPerSecond)) : "–"} min/km`];
}

/** The time of day. */
export function timeOfDay(date) {
  return new Intl.DateTimeFormat(language, { timeStyle: "medium" }).format(date);
}
