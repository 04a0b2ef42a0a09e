// The heart rates that this page has seen: the plot of a person without a workout.

const limit = 600; // seconds

export class RecentRates {
  #points = [];
  #of = null;

  /** Remembers the present rate of a person, at most one each second; another person starts anew. */
  add({ name, heart } = {}) {
    if (name !== this.#of) this.#points = [];
    this.#of = name;
    const now = performance.now() / 1000;
    if (heart?.state !== "measured" || now - (this.#points.at(-1)?.at ?? -1) < 1) return;
    this.#points.push({ at: now, rate: heart.rate });
    while (now - this.#points[0].at > limit) this.#points.shift();
  }

  /** The points, oldest first. */
  get points() {
    const now = performance.now() / 1000;
    return this.#points.map(({ at, rate }) => ({ secondsAgo: now - at, rate }));
  }
}
