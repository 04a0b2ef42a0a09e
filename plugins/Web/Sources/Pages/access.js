// What this page may read and do, and how it asks for more.

import { get, post } from "./api.js";
import { code, make, part } from "./page.js";
import { text } from "./strings.js";

/** What the gateway demands of who follows a workout (control protocol, "Access"). */
const read = [
  "deviceEvent", "workout", "heartRate", "rrInterval", "activeEnergyBurned", "stepCount",
  "distanceWalkingRunning", "distanceCycling", "runningSpeed", "runningCadence", "runningPower",
  "cyclingSpeed", "cyclingCadence", "cyclingPower", "restingHeartRate",
  "heartRateVariabilitySDNN", "heartRateRecoveryOneMinute",
];
const retry = 5000; // milliseconds

/** Whether a part of `access` grants a type. */
function grants({ granted = [], denied = [], undecided = [], others } = {}, type) {
  if (granted.includes(type)) return true;
  return others === "granted" && ![...denied, ...undecided].includes(type);
}

/** Shows what is missing until it is granted; `onChange` gets what a page may read and store. */
export async function watchAccess(type, share, onChange = () => {}) {
  for (;;) {
    const { access } = await get("/v1/access").catch(() => ({}));
    const mayRead = access?.owner || grants(access?.read, type);
    const mayShare = access?.owner || share.every((type) => grants(access?.share, type));
    if (access) {
      onChange(mayRead, mayShare);
      draw(access, type, share, mayRead);
      if (mayRead && mayShare) return;
    }
    await new Promise((resolve) => setTimeout(resolve, retry));
  }
}

function draw({ client, read: has }, type, share, mayRead) {
  const box = part("access");
  const isAsked = has?.undecided?.includes(type) ?? false;
  const state = mayRead ? "" : `${client} ${isAsked}`;
  if (box.dataset.state === state) return;
  box.dataset.state = state;
  box.hidden = mayRead;
  box.replaceChildren(
    make("p", "", text("access.missing", { client })), make("p", "", text("access.grant")),
    code(command(client, share)),
    isAsked ? make("p", "", text("access.asked")) : askButton(share));
}

/** What the owner types. */
function command(client, share) {
  const shared = share.map((type) => ` --share ${type}`).join("");
  return `pulsegate access grant ${client} --read all${shared}`;
}

function askButton(share) {
  const button = make("button", "", text("access.ask"));
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await post("/v1/access", {
        read, ...(share.length ? { share } : {}), purpose: document.title,
      });
      button.replaceWith(make("p", "", text("access.asked")));
    } catch (problem) {
      button.disabled = false;
      button.after(make("p", "error", problem.message));
    }
  });
  return button;
}
