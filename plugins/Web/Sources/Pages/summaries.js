// Days or weeks as a table: a column for each type with values. Each cell has a bar for a sum, and
// for an average a mark between the lowest and the highest one.

import { get } from "./api.js";
import { decimal } from "./figures.js";
import { make } from "./page.js";
import { language, text } from "./strings.js";

const columns = [
  { type: "stepCount", label: "steps", value: ({ sum }) => sum, show: (steps) => decimal(steps) },
  {
    type: "distanceWalkingRunning", label: "distance", unit: "km", value: ({ sum }) => sum,
    show: (meters) => decimal(meters / 1000, 1),
  },
  {
    type: "activeEnergyBurned", label: "energy", unit: "kcal", value: ({ sum }) => sum,
    show: (energy) => decimal(energy),
  },
  {
    type: "restingHeartRate", label: "history.resting", unit: "/min",
    value: ({ average }) => average, show: (rate) => decimal(rate), isAverage: true,
  },
  {
    type: "heartRateVariabilitySDNN", label: "history.variability", unit: "ms",
    value: ({ average }) => average, show: (milliseconds) => decimal(milliseconds),
    isAverage: true,
  },
];
const forbidden = 403;
const day = 86_400_000; // milliseconds
const half = day / 2;

/** Draws the steps of the last days; `query` makes the parameters of a request. */
export async function drawSummaries(box, bucket, days, query, isCurrent) {
  const to = new Date();
  const from = new Date(to.getFullYear(), to.getMonth(), to.getDate() - days + 1);
  const shown = [];
  for (const column of columns) {
    const rows = await read(column.type, query({
      type: column.type, bucket, from: from.toISOString(), to: to.toISOString(),
    }));
    if (!isCurrent()) return;
    const values = new Map(rows.map((row) => [row.start, column.value(row)]));
    const starts = wholeSteps(rows, bucket);
    if (starts.some((start) => values.get(start) !== undefined)) {
      shown.push({ ...column, values, starts });
    }
  }
  if (shown.length === 0) return box.replaceChildren(make("p", "", text("history.empty")));
  box.replaceChildren(table(shown, bucket));
}

/** The rows of a type; none of one that this client may not read. */
async function read(type, parameters) {
  try {
    return (await get(`/v1/statistics?${parameters}`)).rows;
  } catch (problem) {
    if (problem.status === forbidden) return [];
    throw problem;
  }
}

/** The starts of the steps, newest first, without a week that began before. */
function wholeSteps(rows, bucket) {
  const isCut = ([first]) => new Date(first.end) - new Date(first.start) < 6.5 * day;
  const whole = bucket === "week" && rows.length > 1 && isCut(rows) ? rows.slice(1) : rows;
  return whole.map(({ start }) => start).reverse();
}

function table(shown, bucket) {
  const head = make("tr");
  head.append(heading("col", text(`history.${bucket}`)));
  head.append(...shown.map(({ label, unit }) => {
    const element = heading("col", text(label));
    if (unit) element.append(" ", make("small", "", unit));
    return element;
  }));
  const body = make("tbody");
  // It ends with the first step that has a value.
  const { starts } = shown[0];
  const isKnown = (start) => shown.some(({ values }) => values.get(start) !== undefined);
  for (const start of starts.slice(0, starts.findLastIndex(isKnown) + 1)) {
    const row = make("tr");
    row.append(heading("row", date(start, bucket)));
    row.append(...shown.map((column) => cell(column, column.values.get(start))));
    body.append(row);
  }
  const frame = make("div", "scroll");
  const element = make("table");
  const top = make("thead");
  top.append(head);
  element.append(top, body);
  frame.append(element);
  // It can be scrolled with the keyboard where it is wider than the screen.
  frame.tabIndex = 0;
  frame.role = "region";
  frame.ariaLabel = text(`history.${bucket}s`);
  return frame;
}

function heading(scope, words) {
  const element = make("th", "", words);
  element.scope = scope;
  return element;
}

function cell({ values, starts, show, isAverage }, value) {
  if (value === undefined) return make("td", "", "–");
  const element = make("td", "", show(value));
  const known = starts.map((start) => values.get(start)).filter((other) => other !== undefined);
  const low = isAverage ? Math.min(...known) : 0;
  const share = (value - low) / (Math.max(...known) - low || 1);
  const bar = make("span", isAverage ? "track" : "bar");
  if (isAverage) bar.append(mark(share));
  else bar.style.width = `${100 * share}%`;
  element.append(bar);
  return element;
}

function mark(share) {
  const element = make("i");
  element.style.left = `${100 * share}%`;
  return element;
}

/** The date of a step: the gateway may be in another time zone than the browser. */
function date(start, bucket) {
  const format = bucket === "day"
    ? { weekday: "short", day: "numeric", month: "numeric" } : { day: "numeric", month: "short" };
  return new Intl.DateTimeFormat(language, format).format(new Date(start).getTime() + half);
}
