import { isTestPath } from "../../../search/classify-file.ts";
import type { Overlay, RepositoryView } from "./repository-view.ts";

/** Literals that are searched for, files that are named for each, and lines of each file. */
const MAX_LITERALS = 6;

const MAX_FILES = 3;

const MAX_LINES = 2;

/** A literal in more test files than these tells nothing. */
const MAX_HOLDERS = 8;

const MAX_LINE = 160;

const BUDGET = 900;

/** A shorter text is too common, and a longer one is data. */
const LITERAL = /"([^"\n]{6,200})"|'([^'\n]{6,200})'|`([^`\n]{6,200})`/g;

/** Where a text has values put in: `${a}`, `#{a}`, `%s`, `{0}`, `$a`, and escapes. */
const FILLED = /[$#]?\{[^{}]*\}|%[-+0-9.]*[a-zA-Z]|\$\w+|\\./;

const LEAST = 6;

/**
 * Finds existing tests that hold a literal of the removed lines which the change no longer has: an error message, a
 * name, a constant. Gives their lines, without the changed files; "" for none.
 */
export async function findPinningTests(
  changes: readonly { path: string; diff: string }[],
  { repositoryView, overlay }: { repositoryView: Pick<RepositoryView, "lookups">; overlay: Overlay },
): Promise<string> {
  const lookups = repositoryView.lookups(overlay);
  const written = changes.map(({ diff }) => linesOf(diff, "+")).join("\n");
  const changed = new Set(changes.map(({ path }) => path));
  const sources = changes.filter(({ path }) => !isTestPath(path));
  const gone = sources.flatMap(({ diff }) => literalsIn(linesOf(diff, "-"))).filter((one) => !written.includes(one));
  const shown: string[] = [];
  for (const literal of [...new Set(gone)].slice(0, MAX_LITERALS)) {
    const found = await lookups?.findText({ pattern: literal.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&") });
    if (!found || "reason" in found) continue;
    const tests = found.files.filter(({ path }) => isTestPath(path) && !changed.has(path));
    if (tests.length === 0 || tests.length > MAX_HOLDERS) continue;
    const lines = tests.slice(0, MAX_FILES).flatMap(({ path, lines: all }) => {
      return all.slice(0, MAX_LINES).map(({ line, text }) => `${path}:${line}: ${text.trim().slice(0, MAX_LINE)}`);
    });
    const text = `tests that hold ${JSON.stringify(literal)}, which the change removes:\n${lines.join("\n")}`;
    if ([...shown, text].join("\n\n").length <= BUDGET) shown.push(text);
  }
  return shown.join("\n\n");
}

const linesOf = (diff: string, sign: "+" | "-"): string =>
  diff
    .split("\n")
    .filter((line) => line.startsWith(sign) && !line.startsWith(sign.repeat(3)))
    .map((line) => line.slice(1))
    .join("\n");

/** The longest plain part of each text, where it has a blank or looks like a name of ours. */
function literalsIn(text: string): readonly string[] {
  return [...text.matchAll(LITERAL)].flatMap(([, ...forms]) => {
    const parts = (forms.find((one) => one !== undefined) ?? "").split(FILLED).map((part) => part.trim());
    const longest = parts.reduce((best, part) => (part.length > best.length ? part : best), "");
    return longest.length >= LEAST && /[\p{L}\d]/u.test(longest) ? [longest] : [];
  });
}
