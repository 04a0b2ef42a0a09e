// The notice that there are no updates, since when and why; the page dims.

import { Problem } from "./api.js";
import { timeOfDay } from "./figures.js";
import { part, show } from "./page.js";
import { text } from "./strings.js";

const unauthorized = 401;

/** Draws the state of the stream: nothing while it is connected. */
export function drawOffline(feed) {
  const isDown = !feed.isConnected && (feed.people !== null || feed.problem !== null);
  document.body.classList.toggle("offline", isDown);
  show(part("offline"), isDown ? words(feed) : "");
}

function words({ people, since, problem }) {
  if (problem?.status === unauthorized) return text("token");
  const state = people ? text("offline", { time: timeOfDay(since) }) : text("offline.never");
  const why = reason(problem);
  return why ? `${state} (${why})` : state;
}

function reason(problem) {
  if (problem instanceof Problem) return problem.status ? problem.message : "";
  return problem ? text(`end.${problem}`) : "";
}
