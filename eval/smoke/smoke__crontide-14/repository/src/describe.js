import { FIELDS } from "./fields.js";
import { parseExpression } from "./parse-expression.js";

/** A cron line in words; fields that allow everything are left out. */
export function describe(line) {
  const allowed = parseExpression(line);
  const parts = FIELDS.filter((field) => allowed[field.key].length <= field.max - field.min).map(
    (field) => `${field.plural} ${allowed[field.key].join(", ")}`,
  );
  return parts.length > 0 ? parts.join("; ") : "every minute";
}
