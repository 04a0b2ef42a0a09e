// The tile of a person on the wall.

import { heartText } from "./heart.js";
import { make, show } from "./page.js";
import { text } from "./strings.js";
import { drawZoneBar, zoneColour, zoneName } from "./zones.js";

const lowBattery = 20; // per cent

export class Tile {
  element = make("section", "tile");
  #rate = make("p", "rate");
  #zones = make("p", "zones");
  #zone = make("span");
  #percent = make("span");
  #note = make("p", "note");

  constructor(name) {
    const foot = make("p", "foot");
    foot.append(this.#zone, this.#percent);
    this.#zones.ariaHidden = "true";
    this.element.append(
      make("h2", "", name || text("person.none")), this.#rate, this.#zones, foot, this.#note);
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
    this.#zone.textContent = heart.number && person.heart.zone !== undefined ? zone(heart) : "";
    this.#percent.textContent = heart.number ? percent(person.heart) : "";
    show(this.#note, isConnected ? note(person) : "");
    this.#note.hidden = false;
  }
}

/** `Zone 4, hard`: short, since the bar has the number of zones. */
function zone({ zone: number, zones }) {
  if (number === 0) return text("zone.below");
  return [text("zone.number", { zone: number }), zoneName(number, zones)].filter(Boolean).join(", ");
}

function percent({ percent: value }) {
  return value === undefined ? "" : `${Math.round(value)} %`;
}

/** What somebody must do something about: a backup strap, a low battery, a pause. */
function note({ heart, workout }) {
  return [
    workout?.state === "paused" ? text("state.paused") : "",
    heart?.backup ? text("backupShort") : "",
    heart?.battery <= lowBattery ? text("battery", { percent: heart.battery }) : "",
  ].filter(Boolean).join(" · ");
}
