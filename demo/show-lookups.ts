import type { JournalEntry } from "../test/scripted-model/scripted-model.ts";

const ROLES: Readonly<Record<string, string>> = {
  "p04-plan-work": "Manager",
  "p09-change-file": "Developer",
  "p11-review-work": "QA Engineer",
};
const MAX_LINES = 6;

/** Prints what the agents looked up in the repository before they answered, and the beginning of what they found. */
export function showLookups(journal: readonly JournalEntry[], say: (text: string) => void): void {
  const told = new Set<string>();
  for (const { call } of journal) {
    for (const { name, input, result } of call?.looked ?? []) {
      const what = `${ROLES[call?.promptId ?? ""] ?? "?"}: ${name} ${JSON.stringify(input)}`;
      if (told.has(what)) continue;
      told.add(what);
      const lines = result.trimEnd().split("\n");
      const cut = lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES), "…"] : lines;
      say(`${what}\n${cut.map((line) => `    ${line}`).join("\n")}`);
    }
  }
}
