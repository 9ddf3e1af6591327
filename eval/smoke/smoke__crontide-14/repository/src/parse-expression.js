import { FIELDS } from "./fields.js";
import { parseField } from "./parse-field.js";

/** A cron line as lists of allowed values: { minute, hour, day, month, weekday }. */
export function parseExpression(line) {
  const texts = line.trim().split(/\s+/);
  if (texts.length !== FIELDS.length) throw new RangeError(`a cron line has ${FIELDS.length} fields: ${line}`);
  return Object.fromEntries(FIELDS.map((field, index) => [field.key, parseField(texts[index], field)]));
}
