// The tile of a person on the wall.

import { heartText, isBatteryLow } from "./heart.js";
import { make, show } from "./page.js";
import { text } from "./strings.js";
import { drawZoneBar, zoneColour, zoneLabel } from "./zones.js";

export class Tile {
  element = make("section", "tile");
  #rate = make("p", "rate");
  #zones = make("p", "zones");
  #zone = make("span");
  #percent = make("span");
  #note = make("p", "note");

  constructor(name) {
    const [head, foot] = [make("div", "head"), make("p", "foot")];
    head.append(make("h2", "", name || text("person.none")), this.#note);
    foot.append(this.#zone, this.#percent);
    this.#zones.ariaHidden = "true";
    this.element.append(head, this.#rate, this.#zones, foot);
  }

  /** Draws the present state of the person. */
  draw(person, isConnected) {
    const heart = heartText(person, isConnected);
    const { classList, dataset } = this.element;
    classList.toggle("unknown", heart.number === null);
    classList.toggle("alert", heart.isAlert);
    dataset.zone = zoneColour(heart.zone, heart.zones);
    this.#rate.textContent = heart.number ?? heart.title;
    drawZoneBar(this.#zones, heart.zone, heart.zones);
    this.#zone.textContent =
      heart.number && person.heart.zone !== undefined ? zoneLabel(heart.zone, heart.zones) : "";
    this.#percent.textContent = heart.number ? percent(person.heart) : "";
    show(this.#note, isConnected ? note(person) : "");
  }
}

function percent({ percent: value }) {
  return value === undefined ? "" : `${Math.round(value)} %`;
}

/** What somebody must do something about: a backup strap, a low battery, a pause. */
function note({ heart, workout }) {
  return [
    workout?.state === "paused" ? text("state.paused") : "",
    heart?.backup ? text("backupShort") : "",
    isBatteryLow(heart) ? text("battery", { percent: heart.battery }) : "",
  ].filter(Boolean).join(" · ");
}
