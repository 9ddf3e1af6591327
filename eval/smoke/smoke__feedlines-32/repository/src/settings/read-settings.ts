import { positiveInteger } from "./positive-integer.js";
import type { Settings } from "./settings.js";

const KNOWN = new Set(["feeds", "dateFormat", "maxTitle"]);

/** Reads a settings file's text; throws with a sentence that names the setting at fault. */
export function readSettings(text: string): Settings {
  const given = JSON.parse(text) as Record<string, unknown>;
  const unknown = Object.keys(given).find((key) => !KNOWN.has(key));
  if (unknown !== undefined) throw new Error(`unknown setting: ${unknown}`);
  const { feeds, dateFormat = "day", maxTitle = 80 } = given;
  if (!Array.isArray(feeds) || !feeds.every((feed) => typeof feed === "string")) {
    throw new Error("feeds must be a list of addresses");
  }
  if (dateFormat !== "day" && dateFormat !== "minute") throw new Error('dateFormat must be "day" or "minute"');
  return { feeds, dateFormat, maxTitle: positiveInteger("maxTitle", maxTitle) };
}
