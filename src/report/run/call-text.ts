import type { ToolCall } from "../../models/language-model.ts";

const MAX_WORDS = 120;

/** A tool call in a few words: `search "round" in src`, `read a.js:1-40, b.js`. The input comes from a model. */
export function lookupText({ name, input }: Pick<ToolCall, "name" | "input">): string {
  const { pattern, path, places } = textsOf(input);
  const shown = (Array.isArray(places) ? places : []).map((place) => {
    const { path: file, start, end, symbol: declared } = textsOf(place);
    const lines = word(start) && `${word(start)}${word(end) && `-${word(end)}`}`;
    return [word(file), word(declared) || lines].filter((part) => part !== "").join(":");
  });
  const what = [word(pattern) && JSON.stringify(pattern), shown.join(", ")].filter((text) => text !== "");
  const where = what.length > 0 && word(path) !== "" ? `in ${word(path)}` : word(path);
  const text = [name, ...what, where].filter((part) => part !== "").join(" ");
  return text.length > MAX_WORDS ? `${text.slice(0, MAX_WORDS - 1)}…` : text;
}

const textsOf = (input: unknown): Readonly<Record<string, unknown>> =>
  typeof input === "object" && input !== null ? { ...input } : {};

const word = (value: unknown) => (typeof value === "string" || typeof value === "number" ? String(value) : "");

/** A call's failure as a sentence: the record has its code before it. */
export const withoutCode = (failure: string) => failure.replace(/^[A-Z_]+: /, "");
