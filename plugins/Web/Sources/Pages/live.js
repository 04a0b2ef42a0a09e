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
    // A browser keeps the pages before this one with their connections, and has six for a server.
    addEventListener("pagehide", () => this.#abort?.abort());
    addEventListener("pageshow", ({ persisted }) => persisted && this.reconnect());
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
    this.#lastByte = Date.now();
    this.#abort = new AbortController();
    const response = await open(this.#path, {
      signal: this.#abort.signal,
      headers: { Accept: "text/event-stream" },
    });
    const parser = new EventParser();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return this.#end();
      this.#lastByte = Date.now();
      for (const event of parser.push(value)) this.#take(event);
    }
  }

  /** An event; each has the whole state of a person, so that a `gap` needs nothing. */
  #take({ type, data }) {
    const content = JSON.parse(data);
    if (type === "end") this.problem = content.reason;
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

  /** The new state of a person, who may be one that had nothing to show before. */
  #replace(person) {
    const place = this.people.findIndex(({ name }) => name === person.name);
    this.people.splice(place < 0 ? this.people.length : place, 1, person);
    this.#onChange();
  }

  #end(error) {
    if (error instanceof Problem) this.problem = error;
    if (this.isConnected) this.since = new Date(this.#lastByte);
    this.isConnected = false;
    this.#onChange();
  }

  /** Ends a connection that is dead, or that never becomes one. */
  #checkSilence() {
    const isWorkingOut = this.isConnected
      && this.people.some(({ workout }) => workout?.state === "running");
    const limit = isWorkingOut ? workoutSilenceLimit : silenceLimit;
    if (Date.now() - this.#lastByte > limit) this.#abort?.abort();
  }
}
