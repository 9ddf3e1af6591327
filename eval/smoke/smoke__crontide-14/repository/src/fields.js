/** The five fields of a cron line, in order, with the smallest and the largest value. */
export const FIELDS = [
  { key: "minute", plural: "minutes", min: 0, max: 59 },
  { key: "hour", plural: "hours", min: 0, max: 23 },
  { key: "day", plural: "days", min: 1, max: 31 },
  { key: "month", plural: "months", min: 1, max: 12, names: monthNames() },
  { key: "weekday", plural: "weekdays", min: 0, max: 6, names: weekdayNames() },
];

function monthNames() {
  const names = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
  return new Map(names.map((name, index) => [name, index + 1]));
}

function weekdayNames() {
  const names = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
  return new Map(names.map((name, index) => [name, index]));
}
