import { parseExpression } from "./parse-expression.js";

const DAY = 24 * 60 * 60 * 1000;
/** Every date comes back within 28 years. */
const DAYS_TO_LOOK = 28 * 366;

/** The first moment after `after` at which the line runs, or undefined when there is none. */
export function nextRun(line, after) {
  const allowed = parseExpression(line);
  const midnight = Date.UTC(after.getUTCFullYear(), after.getUTCMonth(), after.getUTCDate());
  for (let day = 0; day < DAYS_TO_LOOK; day += 1) {
    const date = new Date(midnight + day * DAY);
    if (!runsOn(allowed, date)) continue;
    for (const hour of allowed.hour) {
      for (const minute of allowed.minute) {
        const moment = new Date(date.getTime() + (hour * 60 + minute) * 60 * 1000);
        if (moment > after) return moment;
      }
    }
  }
  return undefined;
}

function runsOn(allowed, date) {
  return (
    allowed.month.includes(date.getUTCMonth() + 1) &&
    allowed.day.includes(date.getUTCDate()) &&
    allowed.weekday.includes(date.getUTCDay())
  );
}
