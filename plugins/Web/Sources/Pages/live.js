// The live stream: the newest state of each person; it comes back by itself when it ends.
//
// It is read with fetch and not with EventSource, which shows neither the gateway's comments (so a
// dead connection looks like a quiet one) nor the status of an error, and needs the token in the URL.

import { open, Problem } from "./api.js";
import { EventParser } from "./events.js";

const firstRetry = 500; // milliseconds
const lastRetry = 10_000;
/** The gateway sends at least a comment every 15 s, and a running workout every second. */
const silenceLimit = 20_000;
const workoutSilenceLimit = 6_000;

export class LiveFeed {
  /** The people in the order of the gateway; null before the first state. */
  people = null;
  isConnected = false;
  /** Since when there are no updates. */
  since = new Date();
  /** Why there are none, if it is known: a Problem, or the reason that the gateway sent. */
  problem = null;

  #path;
  #onChange;
  #retry = firstRetry;
  #lastByte = 0;
  #abort = null;
  #wake = null;

  constructor(person, onChange) {
    this.#path = "/v1/live" + (person ? `?person=${encodeURIComponent(person)}` : "");
    this.#onChange = onChange;
  }

  /** Follows the stream as long as the page is open. */
  async run() {
    setInterval(() => this.#checkSilence(), 1000);
    document.addEventListener("visibilitychange", () => this.#checkSilence());
    addEventListener("online", () => this.reconnect());
    for (;;) {
      await this.#read().catch((error) => this.#end(error));
      await new Promise((resolve) => {
        this.#wake = resolve;
        setTimeout(resolve, this.#retry);
      });
      this.#retry = Math.min(this.#retry * 2, lastRetry);
    }
  }

  /** Connects now instead of at the next try. */
  reconnect() {
    this.#retry = firstRetry;
    this.#wake?.();
  }

  /** Connects now if there is no connection. */
  reconnectIfDown() {
    if (!this.isConnected) this.reconnect();
  }

  async #read() {
    this.#abort = new AbortController();
    const response = await open(this.#path, {
      signal: this.#abort.signal,
      headers: { Accept: "text/event-stream" },
    });
    const parser = new EventParser();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      this.#lastByte = performance.now();
      const { value, done } = await reader.read();
      if (done) return this.#end();
      for (const event of parser.push(value)) this.#take(event);
    }
  }

  #take({ type, data }) {
    const content = JSON.parse(data);
    if (type === "end") this.problem = content.reason;
    // What was dropped may be that a strap was lost: the full state is needed again.
    if (type === "gap" && content.missed) this.#abort.abort();
    if (type === "state") this.#begin(content.people);
    if (type === "person") this.#replace(content);
  }

  #begin(people) {
    this.people = people;
    this.isConnected = true;
    this.problem = null;
    this.#retry = firstRetry;
    this.#onChange();
  }

  #replace(person) {
    const place = this.people?.findIndex((known) => known.name === person.name) ?? -1;
    if (place < 0) return;
    this.people[place] = person;
    this.#onChange();
  }

  #end(error) {
    if (error instanceof Problem) this.problem = error;
    if (this.isConnected) this.since = new Date();
    this.isConnected = false;
    this.#onChange();
  }

  #checkSilence() {
    if (!this.isConnected) return;
    const isWorkingOut = this.people.some(({ workout }) => workout?.state === "running");
    const limit = isWorkingOut ? workoutSilenceLimit : silenceLimit;
    if (performance.now() - this.#lastByte > limit) this.#abort.abort();
  }
}
