// The buttons and keys of a workout. A stop needs a second press.

import { post } from "./api.js";
import { part, show } from "./page.js";
import { text } from "./strings.js";

const confirmationTime = 3000; // milliseconds
const activities = [
  "running", "walking", "cycling", "hiking", "rowing", "elliptical", "swimming", "yoga",
  "traditionalStrengthTraining", "highIntensityIntervalTraining", "crossCountrySkiing", "other",
];
const locations = ["outdoor", "indoor"];

export class Controls {
  /** Whether the gateway allows this page to control workouts. */
  mayControl = false;

  #person = undefined;
  #state = undefined;
  #isConnected = false;
  /** The command that the gateway has not answered yet. */
  #pending = null;
  #confirmation = null;

  constructor() {
    fill(part("activity"), activities, "activity.");
    fill(part("location"), locations, "");
    part("controls").addEventListener("submit", (event) => event.preventDefault());
    part("start").addEventListener("click", () => this.#press("start"));
    part("pause").addEventListener("click", () => this.#press("pause"));
    part("lap").addEventListener("click", () => this.#press("lap"));
    part("stop").addEventListener("click", () => this.#press("stop"));
    addEventListener("keydown", (event) => this.#key(event));
  }

  /** Draws the buttons that a person's workout has now. */
  draw(person, isConnected) {
    const state = person?.workout?.state;
    if (person?.name !== this.#person || state !== this.#state) this.#cancel();
    this.#person = person?.name;
    this.#state = state;
    this.#isConnected = isConnected;
    this.#update();
  }

  #update() {
    const isActive = this.#state === "running" || this.#state === "paused";
    const hasButtons = isActive || this.#state === undefined;
    part("controls").hidden = !this.mayControl || this.#person === undefined || !hasButtons;
    part("choices").hidden = this.#state !== undefined;
    part("buttons").hidden = !isActive;
    for (const button of part("controls").querySelectorAll("button")) {
      button.disabled = this.#pending !== null || !this.#isConnected;
    }
    part("lap").disabled ||= this.#state === "paused";
    show(part("pause"), text(this.#state === "paused" ? "resume" : "pause"));
    show(part("stop"), text(this.#stopKey()));
    part("stop").classList.toggle("asked", this.#confirmation !== null);
  }

  /** The gateway answers a stop when it has waited for late counts of the devices. */
  #stopKey() {
    if (this.#pending === "stop") return "stop.busy";
    return this.#confirmation === null ? "stop" : "stop.confirm";
  }

  /** A button or key; any other button than a second stop cancels the stop and does its own. */
  #press(command) {
    const isConfirmed = this.#confirmation !== null;
    this.#cancel();
    const active = { running: ["pause", "lap", "stop"], paused: ["pause", "stop"] };
    const allowed = this.#state === undefined ? ["start"] : active[this.#state] ?? [];
    if (!this.mayControl || !this.#isConnected || this.#pending || !allowed.includes(command)) return;
    if (command === "stop" && !isConfirmed) this.#ask();
    else if (command === "pause" && this.#state === "paused") this.#send("resume");
    else this.#send(command);
  }

  #ask() {
    this.#confirmation = setTimeout(() => this.#cancel(), confirmationTime);
    this.#update();
  }

  #cancel() {
    clearTimeout(this.#confirmation);
    this.#confirmation = null;
    this.#update();
  }

  async #send(action) {
    this.#pending = action;
    this.#update();
    show(part("error"), "");
    const start = { activity: part("activity").value, location: part("location").value };
    try {
      await post(`/v1/workout/${action}`,
        { person: this.#person, ...(action === "start" ? start : {}) });
    } catch (problem) {
      show(part("error"), problem.message);
    }
    this.#pending = null;
    this.#update();
  }

  /** The keys of the terminal's workout screen: any other than a second S only cancels the stop. */
  #key({ key, target, repeat, ctrlKey, altKey, metaKey }) {
    const isTaken = target.closest("select, input") || (key === " " && target.closest("button, a"));
    if (isTaken || repeat || ctrlKey || altKey || metaKey) return;
    const commands = { p: "pause", " ": "pause", l: "lap", s: "stop" };
    const command = commands[key.toLowerCase()];
    if (this.#confirmation && command !== "stop") this.#cancel();
    else this.#press(command);
  }
}

function fill(choice, names, prefix) {
  choice.replaceChildren(...names.map((name) => new Option(text(prefix + name), name)));
}
