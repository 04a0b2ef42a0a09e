// The phone: one person's heart rate, workout and buttons.

import { watchAccess } from "./access.js";
import { Controls } from "./controls.js";
import { rows } from "./figurerows.js";
import { widthOfThreeDigits } from "./fit.js";
import { heartText, isBatteryLow, strapText } from "./heart.js";
import { LiveFeed } from "./live.js";
import { drawOffline } from "./offline.js";
import {
  figure, oncePerFrame, parameter, part, setParameter, show, translate,
} from "./page.js";
import { drawPlot } from "./plot.js";
import { RecentRates } from "./recent.js";
import { text } from "./strings.js";
import { keepScreenOn } from "./wakelock.js";
import { drawZoneBar, zoneColour } from "./zones.js";

const feed = new LiveFeed(null, take);
const controls = new Controls();
const recent = new RecentRates();
const redraw = oncePerFrame(draw);
const padding = 20; // pixels, left and right of the digits

/** The person of the address, or else the first. */
function chosen() {
  const people = feed.people ?? [];
  return people.find(({ name }) => (name ?? "") === parameter("person")) ?? people[0];
}

function take() {
  if (feed.isConnected) recent.add(chosen());
  redraw();
}

function draw() {
  const person = chosen();
  const workout = person?.workout;
  drawOffline(feed);
  drawPeople(person);
  show(part("state"), stateText(workout));
  part("state").classList.toggle("paused", workout?.state === "paused");
  part("nav").hidden = workout !== undefined;
  drawHeart(person);
  drawStep(feed.isConnected ? workout?.step : null);
  drawFigures(rows(person, feed.isConnected));
  controls.draw(person, feed.isConnected);
  drawPlot(part("plot"), feed.isConnected ? points(workout) : []);
  keepScreenOn(workout?.state === "running");
}

function stateText(workout) {
  if (!feed.people) return text(feed.problem ? "title.phone" : "state.connecting");
  if (!workout) return text("state.ready");
  const { activity, location, state, saved } = workout;
  if (saved) return text("state.saved");
  const isNamed = state !== "running"; // The time and the buttons show that it is running.
  const parts = [isNamed && text(`state.${state}`), known("activity.", activity),
    location !== "unknown" && text(location)];
  return parts.filter(Boolean).join(" · ");
}

/** The text of a word of the gateway, or the word. */
function known(prefix, word) {
  const key = prefix + word;
  return text(key) === key ? word : text(key);
}

/** The choice of the person, where there are several. */
function drawPeople(person) {
  const choice = part("person");
  const names = (feed.people ?? []).map(({ name }) => name ?? "");
  choice.hidden = names.length < 2;
  if (choice.dataset.names !== JSON.stringify(names)) {
    choice.dataset.names = JSON.stringify(names);
    choice.replaceChildren(
      ...names.map((name) => new Option(name || text("person.none"), name)));
  }
  choice.value = person?.name ?? "";
}

function drawHeart(person) {
  if (!feed.people && !feed.problem) return;
  const heart = heartText(person, feed.isConnected);
  if (feed.people?.length === 0) Object.assign(heart, nobody());
  const box = part("heart");
  box.classList.toggle("unknown", heart.number === null);
  box.classList.toggle("alert", heart.isAlert);
  box.dataset.zone = zoneColour(heart.zone, heart.zones);
  show(part("rate"), heart.number ?? "–");
  show(part("title"), heart.title);
  show(part("range"), heart.range);
  show(part("hint"), heart.hint);
  show(part("strap"), feed.isConnected ? strapText(person) : "");
  part("strap").classList.toggle("urgent", person?.heart?.backup || isBatteryLow(person?.heart));
  drawZoneBar(part("zones"), heart.zone, heart.zones);
  part("zones").hidden = !heart.zones;
  show(part("spoken"), `${part("state").textContent}. ${heart.title}`);
}

/** What a gateway without people shows; without access it may have some. */
function nobody() {
  return part("access").hidden
    ? { hint: text("nobody") } : { title: text("heart.noAccess"), hint: "" };
}

function drawStep(step) {
  part("step").hidden = !step;
  if (!step) return;
  // `1:20` or `400 m`, but not `until zone 2`.
  const rest = /^\d/.test(step.rest) ? text("step.rest", step) : step.rest;
  show(part("stepName"), step.name);
  show(part("stepText"), [text("step", step), rest].filter(Boolean).join(" · "));
  show(part("advice"), step.advice ? text(`advice.${step.advice}`) : "");
  part("advice").className = `advice ${step.advice}`;
  part("progress").hidden = step.progress === undefined;
  part("progress").value = step.progress ?? 0;
}

function drawFigures(figures) {
  part("figures").replaceChildren(...figures.map(
    ({ label, value, isLarge }) => figure(label, value, isLarge ? "large" : "")));
}

function points(workout) {
  if (!workout?.plot) return recent.points;
  return workout.plot.secondsAgo.map(
    (secondsAgo, place) => ({ secondsAgo, rate: workout.plot.rate[place] }));
}

/** The digits as large as the width allows, and no higher than a part of the height. */
function fit() {
  const width = part("heart").clientWidth - padding;
  const share = innerWidth > innerHeight && innerHeight > 500 ? 0.45 : 0.36;
  const size = Math.min(width / widthOfThreeDigits(), innerHeight * share);
  document.body.style.setProperty("--size", `${Math.floor(size)}px`);
  redraw();
}

translate("title.phone");
part("person").addEventListener("change", ({ target }) => {
  setParameter("person", target.value);
  take();
});
addEventListener("resize", fit);
fit();
// What is above and below it decides its height.
new ResizeObserver(redraw).observe(part("plot"));
watchAccess("heartRate", ["workout"], (mayRead, mayShare) => {
  controls.mayControl = mayRead && mayShare;
  feed.reconnectIfDown();
  redraw();
});
feed.run();
