/** A number with its thousands apart. */
export const formatCount = (number: number): string => Math.round(number).toLocaleString("en-US");

/** Milliseconds, for people: `0.4 s`, `12 s`, `2 min 10 s`. */
export function formatTime(milliseconds: number): string {
  if (milliseconds < 9_950) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** ISO 8601 to the minute, in UTC; the text itself when it is none. */
export function formatMoment(iso: string): string {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) return iso;
  return `${new Date(time).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
