// Keeps the screen on during a workout, where the browser allows it (only on https and localhost).

let lock = null;
let isWanted = false;

/** Keeps the screen on, or lets it go off. */
export function keepScreenOn(wanted) {
  if (wanted === isWanted) return;
  isWanted = wanted;
  if (wanted) ask();
  else lock?.release();
}

async function ask() {
  lock = await navigator.wakeLock?.request("screen").catch(() => null);
}

// The browser releases the lock of a page that is not visible.
document.addEventListener("visibilitychange", () => {
  if (isWanted && document.visibilityState === "visible") ask();
});
