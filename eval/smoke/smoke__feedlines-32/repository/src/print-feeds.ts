import type { Feed } from "./feed.js";
import { formatDate } from "./format-date.js";
import { newestFirst } from "./newest-first.js";
import type { Settings } from "./settings/settings.js";

/** One line for each item of all feeds, the newest first. */
export function printFeeds(feeds: readonly Feed[], settings: Settings): string[] {
  const items = feeds.flatMap(({ name, items }) => items.map((item) => ({ ...item, name })));
  return newestFirst(items).map(({ name, title, published }) => {
    const short = title.length > settings.maxTitle ? `${title.slice(0, settings.maxTitle - 1)}…` : title;
    return `${formatDate(published, settings.dateFormat)} ${name}: ${short}`;
  });
}
