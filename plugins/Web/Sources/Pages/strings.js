// All texts of the pages: a key with its English and its German text.

const table = {
  "title.phone": ["Heart rate", "Herzfrequenz"],
  "title.wall": ["Wall", "Wand"],
  "title.overlay": ["Overlay", "Einblendung"],
  "title.devices": ["Devices", "Geräte"],
  "title.history": ["History", "Verlauf"],
  nav: ["Pages", "Seiten"],

  heart: ["Heart rate", "Herzfrequenz"],
  perMinute: ["beats/min", "Schläge/min"],
  strap: ["the strap", "Gurt"],
  backup: ["Backup strap: {name}", "Ersatzgurt: {name}"],
  backupShort: ["Backup strap", "Ersatzgurt"],
  battery: ["battery {percent} %", "Batterie {percent} %"],
  "heart.waiting": ["No heart rate yet", "Noch kein Puls"],
  "heart.waiting.hint": [
    "Moisten the strap, put it on and wait.",
    "Den Gurt anfeuchten, anlegen und warten."],
  "heart.noContact": ["No contact", "Kein Kontakt"],
  "heart.noContact.hint": [
    "Moisten {device} and press it to the skin.",
    "{device} anfeuchten und an die Haut drücken."],
  "heart.lost": ["Signal lost", "Signal verloren"],
  "heart.lost.hint": [
    "Nothing from {device}: move closer or check its battery.",
    "Nichts von {device}: näher kommen oder Batterie prüfen."],
  "heart.noUpdates": ["No updates", "Keine Daten"],
  "heart.percent": ["{percent} % max.", "{percent} % max."],
  "heart.noAccess": ["No access", "Kein Zugriff"],

  "zone.below": ["Below zone 1", "Unter Zone 1"],
  "zone.number": ["Zone {zone}", "Zone {zone}"],
  "zone.of": ["Zone {zone} of {count}", "Zone {zone} von {count}"],
  "zone.veryLight": ["very light", "sehr leicht"],
  "zone.light": ["light", "leicht"],
  "zone.moderate": ["moderate", "mittel"],
  "zone.hard": ["hard", "hart"],
  "zone.maximum": ["maximum", "maximal"],

  "state.paused": ["Paused", "Pause"],
  "state.stopped": ["Stopped, saving", "Beendet, wird gespeichert"],
  "state.saved": [
    "Saved. Measuring recovery, keep still",
    "Gespeichert. Erholung wird gemessen, still bleiben"],
  "state.ended": ["Ended", "Beendet"],
  "state.ready": ["No workout", "Kein Training"],
  "state.connecting": ["Connecting…", "Verbinden …"],
  offline: [
    "No updates since {time}. Connecting again…",
    "Keine Daten seit {time}. Neuer Versuch …"],
  "offline.never": [
    "No connection to the gateway. Connecting again…",
    "Keine Verbindung zum Gateway. Neuer Versuch …"],
  "end.stopping": ["the gateway is stopping", "das Gateway wird beendet"],
  "end.slow": ["the connection was too slow", "die Verbindung war zu langsam"],
  token: [
    "A token is needed. Open the address that `pulsegate open` prints.",
    "Ein Token fehlt. Die Adresse öffnen, die `pulsegate open` ausgibt."],
  nobody: [
    "Nobody is measured yet. Find a strap with `pulsegate devices`, then `pulsegate adopt ADDRESS`.",
    "Noch niemand wird gemessen. Einen Gurt suchen mit `pulsegate devices`, dann `pulsegate adopt ADRESSE`."],
  "nobody.wall": [
    "Nobody has agreed to be shown here. To show a person: `pulsegate people set NAME --wall true`.",
    "Niemand hat der Anzeige zugestimmt. Eine Person zeigen: `pulsegate people set NAME --wall true`."],
  "nobody.named": [
    "No values of {name}: unknown person, or no access.",
    "Keine Werte von {name}: unbekannte Person oder kein Zugriff."],
  person: ["Person", "Person"],
  "person.none": ["no person", "ohne Person"],

  time: ["Time", "Zeit"],
  lap: ["Lap {number}", "Runde {number}"],
  average: ["Average HR", "Ø Puls"],
  energy: ["Energy", "Energie"],
  distance: ["Distance", "Strecke"],
  pace: ["Pace", "Pace"],
  speed: ["Speed", "Tempo"],
  cadence: ["Cadence", "Kadenz"],
  power: ["Power", "Leistung"],
  steps: ["Steps", "Schritte"],
  gaps: ["Gaps", "Lücken"],
  plot: [
    "Heart rate of the last {minutes} min, from {low} to {high}",
    "Herzfrequenz der letzten {minutes} min, von {low} bis {high}"],
  "plot.ago": ["{minutes} min ago", "vor {minutes} min"],
  "plot.now": ["now", "jetzt"],
  step: ["Step {number} of {count}", "Schritt {number} von {count}"],
  "step.rest": ["{rest} left", "noch {rest}"],
  "advice.faster": ["▲ HARDER", "▲ HÄRTER"],
  "advice.slower": ["▼ EASIER", "▼ LEICHTER"],
  "advice.hold": ["On target", "Im Ziel"],

  controls: ["Workout", "Training"],
  activity: ["Activity", "Sportart"],
  location: ["Place", "Ort"],
  start: ["Start", "Start"],
  pause: ["Pause", "Pause"],
  resume: ["Resume", "Weiter"],
  lapButton: ["Lap", "Runde"],
  stop: ["Stop", "Stopp"],
  "stop.confirm": ["Confirm stop", "Beenden?"],
  "stop.busy": ["Stopping…", "Beenden …"],
  keys: [
    "Keys: P or space pauses and resumes, L starts a lap, S twice stops.",
    "Tasten: P oder Leertaste hält an und setzt fort, L neue Runde, zweimal S beendet."],
  outdoor: ["Outdoor", "Draußen"],
  indoor: ["Indoor", "Drinnen"],
  "activity.running": ["Running", "Laufen"],
  "activity.walking": ["Walking", "Gehen"],
  "activity.cycling": ["Cycling", "Radfahren"],
  "activity.hiking": ["Hiking", "Wandern"],
  "activity.rowing": ["Rowing", "Rudern"],
  "activity.elliptical": ["Elliptical", "Crosstrainer"],
  "activity.swimming": ["Swimming", "Schwimmen"],
  "activity.yoga": ["Yoga", "Yoga"],
  "activity.traditionalStrengthTraining": ["Strength training", "Krafttraining"],
  "activity.highIntensityIntervalTraining": ["Interval training", "Intervalltraining"],
  "activity.crossCountrySkiing": ["Cross-country skiing", "Langlauf"],
  "activity.other": ["Other", "Anderes"],

  "history.days": ["Days", "Tage"],
  "history.weeks": ["Weeks", "Wochen"],
  "history.day": ["Day", "Tag"],
  "history.week": ["Week from", "Woche ab"],
  "history.resting": ["Resting HR", "Ruhepuls"],
  "history.variability": ["HRV (SDNN)", "HRV (SDNN)"],
  "history.empty": ["No values in this time.", "Keine Werte in dieser Zeit."],
  "history.workouts": ["Workouts", "Trainings"],
  "history.none": ["No workouts yet.", "Noch keine Trainings."],
  "history.more": ["Earlier workouts", "Frühere Trainings"],
  "history.maximum": ["Maximum HR", "Maximalpuls"],
  "history.recovery": ["Recovery in 1 min", "Erholung in 1 min"],
  "history.zones": ["Time in zones", "Zeit in Zonen"],
  "history.download": ["Download {format}", "{format} laden"],
  "history.loaded": ["History loaded", "Verlauf geladen"],
  "history.plot": [
    "Heart rate of the workout, from {low} to {high}",
    "Herzfrequenz des Trainings, von {low} bis {high}"],

  "access.missing": [
    "This page ({client}) may not read the values.",
    "Diese Seite ({client}) darf die Werte nicht lesen."],
  "access.grant": [
    "The owner of the gateway grants it with",
    "Der Besitzer des Gateways erlaubt es mit"],
  "access.ask": ["Ask for access", "Um Zugriff bitten"],
  "access.asked": ["Asked. Waiting for the owner.", "Gefragt. Der Besitzer muss zustimmen."],

  "link.idle": ["Not used", "Nicht benutzt"],
  "link.wanted": ["Not found", "Nicht gefunden"],
  "link.connecting": ["Connecting", "Verbindet"],
  "link.resolving": ["Connecting", "Verbindet"],
  "link.subscribing": ["Connecting", "Verbindet"],
  "link.live": ["Connected", "Verbunden"],
  "link.stale": ["Connected, but silent", "Verbunden, sendet nichts"],
  "link.backOff": ["Trying again", "Neuer Versuch"],
  "link.quarantined": ["Not read", "Wird nicht gelesen"],
  "contact.none": ["no skin contact", "kein Hautkontakt"],
  silent: ["last value {time} ago", "letzter Wert vor {time}"],
  "silent.not": ["last value just now", "letzter Wert gerade eben"],
  "silent.never": ["no value yet", "noch kein Wert"],
  "fix.wanted": [
    "Wear the device, move it closer, and disconnect it from phones and other programs.",
    "Das Gerät anlegen, näher bringen und von Telefonen und Programmen trennen."],
  "fix.backOff": [
    "Move the device closer, disconnect it from other programs, or change its battery.",
    "Das Gerät näher bringen, von Programmen trennen oder die Batterie wechseln."],
  "fix.cable": [
    "Check that the device is switched on, and its cable.",
    "Prüfen, ob das Gerät eingeschaltet ist, und das Kabel prüfen."],
  "fix.stale": ["Check skin contact and battery.", "Hautkontakt und Batterie prüfen."],
  "fix.contact": [
    "Moisten the electrodes and tighten the strap.",
    "Die Elektroden anfeuchten und den Gurt fester ziehen."],
  "devices.none": [
    "No devices. Find one with `pulsegate devices`, then `pulsegate adopt ADDRESS`.",
    "Keine Geräte. Suchen mit `pulsegate devices`, dann `pulsegate adopt ADRESSE`."],
};

const languages = ["en", "de"];
const wanted = [new URLSearchParams(location.search).get("lang"), ...navigator.languages]
  .map((tag) => tag?.toLowerCase().split("-")[0]);

/** `en` or `de`: of the address, or the first that the browser prefers. */
export const language = wanted.find((tag) => languages.includes(tag)) ?? languages[0];

/** The text of a key, with its `{values}`; the key itself if there is none. */
export function text(key, values = {}) {
  const words = table[key]?.[languages.indexOf(language)] ?? key;
  return words.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}
