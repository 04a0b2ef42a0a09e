// What every page does first: the language, its texts, and an address that keeps its choices.

import { language, text } from "./strings.js";

/** The element with an id, which the page has. */
export const part = (id) => document.getElementById(id);

/** Fills the texts of the page's HTML: `data-text` is a key, `data-label` one for screen readers. */
export function translate(title) {
  document.documentElement.lang = language;
  document.title = `${text(title)} · Pulsegate`;
  for (const element of document.querySelectorAll("[data-text]")) {
    element.textContent = text(element.dataset.text);
  }
  for (const element of document.querySelectorAll("[data-label]")) {
    element.ariaLabel = text(element.dataset.label);
  }
}

/** A parameter of the address. */
export const parameter = (name) => new URLSearchParams(location.search).get(name);

/** Changes a parameter of the address, without a new entry in the history. */
export function setParameter(name, value) {
  const address = new URL(location.href);
  address.searchParams.set(name, value);
  history.replaceState(history.state, "", address);
}

/** Sets a text only when it differs, so that a screen reader does not repeat it; `code` is code. */
export function show(element, words) {
  element.hidden = words === "";
  if (element.textContent === words.replaceAll("`", "")) return;
  element.replaceChildren(
    ...words.split("`").map((words, place) => (place % 2 ? code(words) : words)));
}

/** A command: a line of it ends after a word, and not at a hyphen. */
export function code(command) {
  const element = make("code");
  element.append(...command.split(/( )/).map((word) => (word === " " ? word : make("span", "", word))));
  return element;
}

/** A label with a value in a list; what follows the number is small. */
export function figure(label, value, className = "") {
  const [number, ...unit] = value.split(" ");
  const words = make("dd", "", number);
  if (unit.length > 0) words.append(" ", make("small", "", unit.join(" ")));
  const pair = make("div", className);
  pair.append(make("dt", "", label), words);
  return pair;
}

/** Calls a function at the next frame, once for many calls. */
export function oncePerFrame(draw) {
  let isPlanned = false;
  return () => {
    if (isPlanned) return;
    isPlanned = true;
    requestAnimationFrame(() => {
      isPlanned = false;
      draw();
    });
  };
}

/** An element with a class and a text. */
export function make(tag, className = "", words = "") {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = words;
  return element;
}
