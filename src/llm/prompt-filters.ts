import type { Liquid } from "liquidjs";
import type { Standing } from "../model/discussion.ts";

/** Whose text a fence holds, as its first line names it. */
export type Origin = "maintainer" | "author" | "other person" | "person" | "file" | "colleague" | "log";

/** What is known of who wrote an issue or a comment; nothing is known in records of earlier versions. */
const ORIGIN_BY_STANDING: Readonly<Record<Standing | "unknown", Origin>> = {
  ...{ maintainer: "maintainer", author: "author", other: "other person", log: "log", unknown: "person" },
};

const ORIGINS: readonly unknown[] = ["file", "colleague", ...Object.values(ORIGIN_BY_STANDING)] satisfies Origin[];

/** Controls, with line breaks and tabs among them, and Unicode's separators of lines and paragraphs. */
const BREAKS = /[\p{Cc}\u2028\u2029]+/gu;

/**
 * Adds the filters that prompts use. All that a person, a file or a model wrote passes one of the first two:
 *
 * - `{{ text | fenced: "colleague", "diff" }}` stands in a fence that the text cannot end, on lines of its own. The
 *   fence's first line says what it is and whose: `diff from colleague`; without a language, `text`. Instead of an origin
 *   it takes what has a `standing`: the issue, or a comment on it.
 * - `{{ path | code }}` stands within a line, as code that the text cannot end: paths, titles, names.
 * - `{{ interval | interval }}` names lines.
 */
export function addPromptFilters(liquid: Liquid): void {
  liquid.registerFilter("fenced", (value: unknown, origin: unknown, language?: string) =>
    fenced(String(value ?? ""), originOf(origin), language),
  );
  liquid.registerFilter("code", (value: unknown) => {
    const line = String(value ?? "").replace(BREAKS, " ");
    if (line.trim() === "") return "`(none)`";
    const fence = "`".repeat(longestRun(line, /`+/g) + 1);
    const space = /^`|`$/.test(line) ? " " : "";
    return fence + space + line + space + fence;
  });
  liquid.registerFilter("interval", ({ start, end }: Interval) => {
    if (end < start) return `the insertion before line ${Number(start)}`;
    return start === end ? `line ${Number(start)}` : `lines ${Number(start)} to ${Number(end)}`;
  });
}

/** What the filter of this name gives, for texts that are put together before they are shown. */
export function fenced(text: string, origin: Origin, language = "text"): string {
  const fence = "`".repeat(Math.max(3, longestRun(text, /`+|~+/g) + 1));
  const end = text === "" || text.endsWith("\n") ? "" : "\n";
  return `${fence}${language} from ${origin}\n${text}${end}${fence}`;
}

interface Interval {
  readonly start: number;
  readonly end: number;
}

/** Throws for what is no origin: a prompt that does not say whose text it shows cannot be rendered. */
function originOf(origin: unknown): Origin {
  if (ORIGINS.includes(origin)) return origin as Origin;
  if (typeof origin !== "object" || origin === null) throw new Error(`There is no origin ${String(origin)}.`);
  return ORIGIN_BY_STANDING[(origin as { standing?: Standing }).standing ?? "unknown"] ?? "person";
}

function longestRun(text: string, run: RegExp): number {
  return [...text.matchAll(run)].reduce((most, [found]) => Math.max(most, found.length), 0);
}
