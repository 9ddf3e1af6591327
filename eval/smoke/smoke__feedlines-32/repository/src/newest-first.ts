import type { Item } from "./feed.js";

/** A copy of `items` sorted by date, the newest first. */
export function newestFirst<T extends Item>(items: readonly T[]): T[] {
  return [...items].sort((a, b) => Date.parse(b.published) - Date.parse(a.published));
}
