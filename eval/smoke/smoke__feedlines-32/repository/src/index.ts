export { printFeeds } from "./print-feeds.js";
export { readSettings } from "./settings/read-settings.js";
export type { Feed, Item } from "./feed.js";
