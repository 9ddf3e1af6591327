import type { Finding, FindingLevel } from "./finding.ts";

const WIDTH = "warning".length;

/** The findings for people: a line each, what to do on the next, and the count at the end. */
export function findingsText(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ check, level, text, remedy }) => [
    `${level.padEnd(WIDTH)}  ${check}: ${oneLine(text)}`,
    ...(remedy === undefined ? [] : [`${" ".repeat(WIDTH)}  → ${oneLine(remedy)}`]),
  ]);
  const count = (level: FindingLevel) => findings.filter((one) => one.level === level).length;
  const counts = [
    `${count("ok")} ok`,
    some(count("warning"), "warning"),
    some(count("fault"), "fault"),
    ...(count("skipped") > 0 ? [`${count("skipped")} skipped`] : []),
  ];
  return [...lines, "", `${counts.join(", ")}.`].join("\n");
}

function some(count: number, word: string): string {
  return `${count === 0 ? "no" : count} ${word}${count === 1 ? "" : "s"}`;
}

/** What others said is quoted: neither lines nor control characters of theirs reach the terminal. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}
