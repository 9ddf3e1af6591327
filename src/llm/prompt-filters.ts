import type { Liquid } from "liquidjs";

interface Interval {
  readonly start: number;
  readonly end: number;
}

/**
 * Adds the filters that prompts use. `fenced` puts untrusted text into a code fence longer than any run of
 * backticks in it, so that the text cannot end the fence; `oneline` folds white space; `interval` names lines.
 */
export function addPromptFilters(liquid: Liquid): void {
  liquid.registerFilter("fenced", (value: unknown, language = "text") => {
    const text = String(value ?? "");
    const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
    const fence = "`".repeat(longest + 1);
    return `${fence}${language}\n${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${fence}`;
  });
  liquid.registerFilter("oneline", (value: unknown) =>
    String(value ?? "")
      .replace(/\s+/g, " ")
      .trim(),
  );
  liquid.registerFilter("interval", ({ start, end }: Interval) => {
    if (end < start) return `the insertion before line ${start}`;
    return start === end ? `line ${start}` : `lines ${start} to ${end}`;
  });
}
