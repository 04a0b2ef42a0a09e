// The history of a person: days and weeks from the summaries, and stored workouts.

import { watchAccess } from "./access.js";
import { get } from "./api.js";
import { drawOffline } from "./offline.js";
import { parameter, part, setParameter, show, translate } from "./page.js";
import { text } from "./strings.js";
import { drawSummaries } from "./summaries.js";
import { workoutCard } from "./workouts.js";

const pageSize = 20;
const [unauthorized, forbidden] = [401, 403];
const retry = 5000; // milliseconds
/** The start of the oldest workout that is shown; null before the first page. */
let oldest = null;
/** Counts the drawings: one that was overtaken by another is dropped. */
let turn = 0;

/** The parameters of a request for the chosen person. */
function query(values) {
  const person = part("person").value || parameter("person");
  return new URLSearchParams(person ? { person, ...values } : values);
}

async function draw() {
  turn += 1;
  const own = turn;
  const isCurrent = () => own === turn;
  oldest = null;
  part("workouts").replaceChildren();
  const isRead = await attempt(async () => {
    await drawSummaries(part("days"), "day", 14, query, isCurrent);
    await drawSummaries(part("weeks"), "week", 84, query, isCurrent);
    await drawWorkouts(isCurrent);
  });
  if (isRead && isCurrent()) show(part("spoken"), text("history.loaded"));
}

/** Shows why something could not be read; without an answer everything is read again later. */
async function attempt(body) {
  let problem = null;
  try {
    await body();
  } catch (error) {
    problem = error;
  }
  const isDown = problem !== null && [0, unauthorized].includes(problem.status ?? 0);
  drawOffline({ people: null, isConnected: !isDown, problem });
  // What is not granted is said elsewhere.
  const isOther = problem !== null && !isDown && problem.status !== forbidden;
  show(part("problem"), isOther ? problem.message : "");
  if (isDown && problem.status !== unauthorized) setTimeout(draw, retry);
  return problem === null;
}

/** The next page of workouts. */
async function drawWorkouts(isCurrent = () => true) {
  const limits = oldest ? { limit: pageSize, to: oldest } : { limit: pageSize };
  const { records } = await get(`/v1/workouts?${query(limits)}`);
  if (!isCurrent()) return;
  part("workouts").append(...records.map(workoutCard));
  oldest = records.at(-1)?.start ?? oldest;
  part("more").hidden = records.length < pageSize;
  show(part("none"), oldest ? "" : text("history.none"));
}

/** The people are for the owner only; another client has the person of the address. */
async function choosePeople() {
  const { people, default: standard } = await get("/v1/people").catch(() => ({ people: [] }));
  const list = part("person");
  list.replaceChildren(...people.map(({ name }) => new Option(name, name)));
  list.hidden = people.length < 2;
  const names = people.map(({ name }) => name);
  const wanted = [parameter("person"), standard].find((name) => names.includes(name));
  if (wanted) list.value = wanted;
  list.addEventListener("change", () => {
    setParameter("person", list.value);
    draw();
  });
}

translate("title.history");
part("more").addEventListener("click", () => attempt(drawWorkouts));
await choosePeople();
let couldRead = true;
watchAccess("workout", [], (mayRead) => {
  // What was granted since is read now.
  if (mayRead && !couldRead) draw();
  couldRead = mayRead;
});
draw();
