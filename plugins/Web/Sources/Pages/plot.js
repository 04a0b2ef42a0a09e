// A heart rate over time as a line in an SVG.

import { text } from "./strings.js";

const namespace = "http://www.w3.org/2000/svg";
/** Longest time between two recent points that are joined, in seconds. */
const gapLimit = 10;
/** Smallest height of the plot, in beats per minute. */
const smallestSpan = 10;
/** Shortest axis of the last minutes. */
const fewestMinutes = 2;
/** Beside the axes, in the size of the text. */
const margin = { left: 2.5, bottom: 1.2, top: 0.5 };

/** An element for a plot. */
export function makePlot() {
  const svg = document.createElementNS(namespace, "svg");
  svg.role = "img";
  return svg;
}

/** The axis of the last minutes until now. */
function recentAxis([{ secondsAgo: oldest = 0 } = {}]) {
  const minutes = Math.max(Math.ceil(oldest / 60), fewestMinutes);
  return {
    span: minutes * 60, gap: gapLimit, start: text("plot.ago", { minutes }),
    end: text("plot.now"), label: (low, high) => text("plot", { minutes, low, high }),
  };
}

/** Draws points of `secondsAgo` and `rate`, oldest first; the axis ends at 0 s ago. */
export function drawPlot(svg, points, axis = recentAxis(points)) {
  const { clientWidth: width, clientHeight: height } = svg;
  const em = parseFloat(getComputedStyle(svg).fontSize);
  svg.replaceChildren();
  if (points.length < 2 || height < 3 * em) return;
  const rates = points.map(({ rate }) => rate);
  const [low, high] = [Math.min(...rates), Math.max(...rates)];
  const middle = (low + high) / 2;
  const reach = Math.max(high - low, smallestSpan) / 2;
  const [left, floor, top] = [margin.left * em, height - margin.bottom * em, margin.top * em];
  const x = (ago) => width - 2 - (ago / axis.span) * (width - 2 - left);
  const y = (rate) => floor - ((rate - middle + reach) / (2 * reach)) * (floor - top);
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.append(
    shape("path", { class: "axis", d: `M${left} ${top}V${floor}H${width}` }),
    shape("path", { class: "line", d: path(points, axis.gap, x, y) }),
    ...rateLabels(low, high, y, left, em),
    label(axis.start, left, height - em / 4, "start"),
    label(axis.end, width - 2, height - em / 4, "end"));
  svg.ariaLabel = axis.label(Math.round(low), Math.round(high));
}

/** The line, with a break at each gap. */
function path(points, gap, x, y) {
  let before = Infinity;
  return points.map(({ secondsAgo, rate }) => {
    const isJoined = before - secondsAgo <= gap;
    before = secondsAgo;
    const place = `${x(secondsAgo).toFixed(1)} ${y(rate).toFixed(1)}`;
    return isJoined ? `L${place}` : `M${place}h.1`;
  }).join("");
}

/** The highest and the lowest rate; one when both would overlap. */
function rateLabels(low, high, y, left, em) {
  const rates = y(low) - y(high) < em ? [high] : [high, low];
  return rates.map((rate) => label(Math.round(rate), left - em / 3, y(rate) + em / 3, "end"));
}

function label(words, x, y, anchor) {
  const element = shape("text", { x, y, "text-anchor": anchor });
  element.textContent = words;
  return element;
}

function shape(name, attributes) {
  const element = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
