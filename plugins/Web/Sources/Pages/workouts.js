// A stored workout: a line, and when it is opened its figures, plot, zones and downloads.

import { get, open } from "./api.js";
import { clock, decimal, distance, speed } from "./figures.js";
import { figure, make } from "./page.js";
import { drawPlot, makePlot } from "./plot.js";
import { language, text } from "./strings.js";
import { zoneColour, zoneLabel, zoneRange } from "./zones.js";

const formats = ["fit", "tcx", "csv", "json"];

/** A line with the workout of a list. */
export function workoutCard(workout) {
  const card = make("details");
  const line = make("summary");
  line.append(
    make("b", "", activityName(workout.activity)), make("span", "date", date(workout.start)),
    ...facts(workout).map((fact) => make("span", "", fact)));
  card.append(line);
  card.addEventListener("toggle", () => {
    if (card.open && card.childElementCount === 1) load(card, workout);
  });
  return card;
}

function date(start) {
  const [date, year] = [new Date(start), new Date().getFullYear()];
  const format = {
    weekday: "short", day: "numeric", month: "short", hour: "numeric", minute: "2-digit",
    ...(date.getFullYear() === year ? {} : { year: "numeric" }),
  };
  return new Intl.DateTimeFormat(language, format).format(date);
}

function activityName(activity) {
  const key = `activity.${activity}`;
  return text(key) === key ? activity : text(key);
}

/** The time, distance and average heart rate; an empty text for an unknown one. */
function facts({ seconds, totals = [] }) {
  const total = (test) => totals.find(({ type }) => test(type));
  const way = total((type) => type.startsWith("distance"))?.sum;
  const rate = total((type) => type === "heartRate")?.average;
  return [
    clock(seconds), way ? distance(way) : "", rate ? `${decimal(rate)} ${text("perMinute")}` : "",
  ];
}

async function load(card, { id }) {
  const box = make("div");
  card.append(box);
  try {
    const { workout } = await get(`/v1/workouts/${id}`);
    const plot = makePlot();
    box.append(figures(workout), plot, zones(workout), downloads(id));
    drawCurve(plot, workout);
  } catch (problem) {
    // It is tried again when it is opened again.
    box.remove();
    card.querySelector(".error")?.remove();
    card.append(make("p", "error", problem.message));
  }
}

function figures({ activity, measures, recovery }) {
  const { heartRate, distanceMeters, energyKilocalories, cadence, power } = measures;
  const rows = [
    ["time", clock(measures.activeSeconds)],
    heartRate && ["average", `${decimal(heartRate.average)} ${text("perMinute")}`],
    heartRate && ["history.maximum", `${decimal(heartRate.maximum)} ${text("perMinute")}`],
    distanceMeters && ["distance", distance(distanceMeters)],
    measures.speed && speed(measures.speed.average, activity),
    energyKilocalories && ["energy", `${decimal(energyKilocalories)} kcal`],
    measures.stepCount && ["steps", decimal(measures.stepCount)],
    cadence && ["cadence", `${decimal(cadence.average)} /min`],
    power && ["power", `${decimal(power.average)} W`],
    recovery && ["history.recovery", `${decimal(recovery)} ${text("perMinute")}`],
  ].filter(Boolean);
  const list = make("dl");
  list.append(...rows.map(([key, value]) => figure(text(key), value)));
  return list;
}

/** The plot needs the width of its place, so it is drawn when it is there. */
function drawCurve(svg, { plot, measures }) {
  svg.toggleAttribute("hidden", plot.rate.length < 2);
  const span = measures.elapsedSeconds;
  const points = plot.rate.map((rate, place) => ({ secondsAgo: span - plot.seconds[place], rate }));
  drawPlot(svg, points, {
    span, gap: Math.max(10, span / 200), start: "0:00", end: clock(span),
    label: (low, high) => text("history.plot", { low, high }),
  });
}

function zones({ measures: { zoneSeconds }, zones: bounds }) {
  const box = make("div");
  const whole = zoneSeconds.reduce((sum, seconds) => sum + seconds, 0);
  if (!bounds || whole === 0) return box;
  const count = zoneSeconds.length - 1;
  const table = make("table", "zone-table");
  table.ariaLabel = text("history.zones");
  for (const [zone, seconds] of zoneSeconds.entries()) {
    const row = table.insertRow();
    const name = make("th", "", zoneLabel(zone, count));
    name.scope = "row";
    const bar = make("span", "bar");
    bar.dataset.zone = zoneColour(zone, count);
    bar.style.width = `${(100 * seconds) / Math.max(...zoneSeconds)}%`;
    row.append(name, make("td", "", zoneRange(zone, bounds)), make("td", "", clock(seconds)));
    row.insertCell().append(bar);
  }
  box.append(make("h3", "", text("history.zones")), table);
  return box;
}

function downloads(id) {
  const box = make("div", "downloads");
  for (const format of formats) {
    const button = make("button", "", text("history.download", { format: format.toUpperCase() }));
    button.addEventListener("click", () => download(id, format, button));
    box.append(button);
  }
  return box;
}

/** A link could not send the token. */
async function download(id, format, button) {
  button.disabled = true;
  button.parentElement.querySelector(".error")?.remove();
  try {
    const response = await open(`/v1/workouts/${id}/file?format=${format}`);
    const name = /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition"))?.[1];
    const link = make("a");
    link.href = URL.createObjectURL(await response.blob());
    link.download = name ?? `${id}.${format}`;
    link.click();
    URL.revokeObjectURL(link.href);
  } catch (problem) {
    button.parentElement.append(make("p", "error", problem.message));
  }
  button.disabled = false;
}
