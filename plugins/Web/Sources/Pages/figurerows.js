// The figures of a person: those of the workout, or else the newest values.

import { clock, decimal, distance, speed } from "./figures.js";
import { text } from "./strings.js";

/** Rows of `label`, `value` and `isLarge`; a value that must be fresh is left out while offline. */
export function rows(person, isConnected) {
  const { workout, values = [] } = person ?? {};
  return [...totals(workout), ...(isConnected ? present(workout ?? newest(values)) : [])];
}

function totals(workout) {
  if (!workout) return [];
  const { measures, lap, lapNumber, gaps } = workout;
  return [
    row(text("time"), clock(measures.activeSeconds), true),
    row(text("lap", { number: lapNumber }), clock(lap.activeSeconds), true),
    optional("average", measures.heartRate, ({ average }) => decimal(average), true),
    optional("energy", measures.energyKilocalories, (energy) => `${decimal(energy)} kcal`),
    optional("distance", measures.distanceMeters, distance),
    optional("steps", measures.stepCount, (count) => decimal(count)),
    optional("gaps", gaps || undefined, String),
  ].filter(Boolean);
}

function present({ activity, speed: metersPerSecond, cadence, power }) {
  const [key, words] = metersPerSecond === undefined ? [] : speed(metersPerSecond, activity);
  return [
    optional(key, words, String),
    optional("cadence", cadence, (count) => `${decimal(count)} /min`),
    optional("power", power, (watts) => `${decimal(watts)} W`),
  ].filter(Boolean);
}

/** The newest speed, cadence and power of a person without a workout. */
function newest(values) {
  const value = (...types) => values.find(({ type }) => types.includes(type))?.value;
  return {
    activity: value("runningSpeed") === undefined ? "cycling" : "running",
    speed: value("runningSpeed", "cyclingSpeed"),
    cadence: value("runningCadence", "cyclingCadence"),
    power: value("runningPower", "cyclingPower"),
  };
}

function optional(key, value, format, isLarge = false) {
  return value === undefined ? null : row(text(key), format(value), isLarge);
}

const largest = 7; // characters of a large value: `9:59:59`

function row(label, value, isLarge) {
  return { label, value, isLarge: isLarge && value.length <= largest };
}
