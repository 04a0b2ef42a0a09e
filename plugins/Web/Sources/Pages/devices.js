// The devices: their links, batteries, why one is not read and what to do.

import { watchAccess } from "./access.js";
import { get } from "./api.js";
import { drawOffline } from "./offline.js";
import { make, part, show, translate } from "./page.js";
import { text } from "./strings.js";

const interval = 3000; // milliseconds
const busy = ["connecting", "resolving", "subscribing", "idle", "live"];
/** What `drawOffline` needs: the list is one state of the gateway. */
const state = { people: null, isConnected: false, since: new Date(), problem: null };
const forbidden = 403;

async function refresh() {
  try {
    const { devices } = await get("/v1/status");
    Object.assign(state, { people: devices, isConnected: true, since: new Date(), problem: null });
    part("devices").replaceChildren(...devices.map(card));
    show(part("nobody"), devices.length ? "" : text("devices.none"));
  } catch (problem) {
    Object.assign(state, { isConnected: false, problem });
  }
  // Without access the gateway answers, and the page says what is missing.
  if (state.problem?.status !== forbidden) drawOffline(state);
}

function card(device) {
  const remedy = remedyKey(device);
  const isAlert = Boolean(remedy || device.reason) || !busy.includes(device.link);
  const item = make("li", isAlert ? "alert" : "");
  const { name, device: address, person, model, reason } = device;
  item.append(make("h2", "", name ?? address), make("p", "link", linkText(device)));
  if (reason) {
    const words = make("p", "", reason);
    words.lang = "en";
    item.append(words);
  }
  if (remedy) item.append(make("p", "", text(remedy)));
  const facts = [person, model, name && address].filter(Boolean).join(" · ");
  item.append(make("p", "", detail(device)), make("p", "soft", facts));
  return item;
}

function linkText({ link, contact }) {
  const key = `link.${link}`;
  const words = [text(key) === key ? link : text(key)];
  if (link === "live" && contact === false) words.push(text("contact.none"));
  return words.join(" · ");
}

function detail({ battery, silentSeconds }) {
  const percent = Math.round(battery * 100);
  return [battery === undefined ? "" : text("battery", { percent }), silence(silentSeconds)]
    .filter(Boolean).join(" · ");
}

function silence(seconds) {
  if (seconds === undefined) return text("silent.never");
  return seconds < 2 ? text("silent.not") : text("silent", { time: duration(seconds) });
}

/** `12 s`, `5 min`, `3 h`. */
function duration(seconds) {
  const [size, unit] = [[3600, "h"], [60, "min"]].find(([least]) => seconds >= least) ?? [1, "s"];
  return `${Math.floor(seconds / size)} ${unit}`;
}

/** The key of what to do about a device that sends nothing. */
function remedyKey({ link, contact, device, reason }) {
  const isRadio = /^([0-9A-F]{2}:){5}[0-9A-F]{2}$/i.test(device);
  if (reason?.match(/; |pulsegate pair/)) return null; // The reason has the remedy.
  if (link === "live") return contact === false ? "fix.contact" : null;
  if (link === "wanted") return "fix.wanted";
  if (link === "backOff") return isRadio ? "fix.backOff" : "fix.cable";
  if (link === "stale") return isRadio ? "fix.stale" : "fix.cable";
  return null;
}

translate("title.devices");
watchAccess("deviceEvent", []);
for (;;) {
  await refresh();
  await new Promise((resolve) => setTimeout(resolve, interval));
}
