import { readValue } from "./read-value.js";

/** The values that one field of a cron line allows, each once. */
export function parseField(text, field) {
  const values = new Set();
  for (const part of text.split(",")) {
    const [range, step = "1"] = part.split("/");
    const [from, to] = boundsOf(range, field);
    const by = Number(step);
    if (!Number.isInteger(by) || by < 1) throw new RangeError(`bad step in ${field.key}: ${part}`);
    for (let value = from; value <= to; value += by) values.add(value);
  }
  return [...values];
}

function boundsOf(range, field) {
  if (range === "*") return [field.min, field.max];
  const [from, to = from] = range.split("-");
  return [readValue(from, field), readValue(to, field)];
}
