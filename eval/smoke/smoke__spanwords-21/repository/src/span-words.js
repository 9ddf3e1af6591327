import { UNITS } from "./units.js";

/** `span` milliseconds in words, whole seconds, at most `units` units. */
export function spanWords(span, { units = UNITS.length } = {}) {
  let rest = Math.abs(span);
  const words = [];
  for (const { letter, length } of UNITS) {
    const count = Math.floor(rest / length);
    rest -= count * length;
    if (count > 0 && words.length < units) words.push(`${count}${letter}`);
  }
  if (words.length === 0) return "0s";
  return `${span < 0 ? "-" : ""}${words.join(" ")}`;
}
