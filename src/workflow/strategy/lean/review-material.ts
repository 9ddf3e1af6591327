import { diffLines, unifiedDiff } from "../../../edits/diff.ts";
import { numberedRanges } from "../../../edits/numbered.ts";
import { readText } from "../../../edits/text-file.ts";
import { holdsDeclarations, isTestKind, type SourceParser, type SourceSymbol } from "../../../ports/source-parser.ts";
import { classifyFile } from "../../../search/classify-file.ts";
import type { Overlay, RepositoryView } from "./repository-view.ts";
import type { TaskProgress } from "./task-progress.ts";

/** Lines of a declaration that is worth showing, and characters of all of them. */
const MAX_LENGTH = 30;

const BUDGET = 2_500;

const isSource = (path: string) => classifyFile({ path, mode: "100644", size: 1 }).group === "source";

const IDENTIFIER = /[\p{L}_$][\p{L}\p{N}_$]{4,}/gu;

/**
 * What QA would have to look up otherwise: short declarations of the changed files that the new lines or the words on the
 * cause name, and that the diffs (with `context` lines around each change) do not show.
 */
export async function viewCalled(
  team: readonly TaskProgress[],
  { parser, reason, context }: { parser: SourceParser; reason: string; context: number },
): Promise<string> {
  const named = new Set(reason.match(IDENTIFIER) ?? []);
  for (const { task, change } of team) {
    // What only a test calls says nothing of the change.
    if (!isSource(task.path)) continue;
    const added = change?.diff.match(/^\+(?!\+\+).*$/gm) ?? [];
    for (const [name] of added.join("\n").matchAll(IDENTIFIER)) named.add(name);
  }
  const parts: string[] = [];
  let room = BUDGET;
  for (const { task, before, change } of team) {
    const lines = change?.content && readText(change.content)?.lines;
    if (!lines || !isSource(task.path)) continue;
    const diff = unifiedDiff(task.path, before, change.content, { context });
    const shown = new Set(diffLines(diff).flatMap((hunk) => hunk.shown));
    const symbols = (await parser.symbols(task.path, lines.join(""))) ?? [];
    const ranges = symbols
      .filter(({ name, start, end }) => named.has(name) && end > start && end - start < MAX_LENGTH)
      .filter(({ start, end }) => !(shown.has(start) && shown.has(end)))
      .map(({ start, end }) => ({ from: start, to: end }));
    const text = `${task.path}\n${numberedRanges(lines, ranges)}`;
    if (ranges.length === 0 || text.length > room) continue;
    room -= text.length;
    parts.push(text);
  }
  return parts.join("\n\n");
}

/** Declarations whose uses are looked up, and characters of what is found. */
const MAX_NAMES = 4;

const MAX_CHARACTERS = 3_000;

const CALLABLE = new Set(["function", "method", "constructor"]);

/** Around a line that no function is around: who uses them is not said to use what changed. */
const isContainer = (kind: string) => holdsDeclarations(kind) || isTestKind(kind);

/** `3 lines in 2 files, 3 of them declarations` */
const ONLY_DECLARED = /^(\d+) lines? in \d+ files?, \1 of them declarations/;

const COUNT = /^(\d+) lines? in/;

/** A name that is used more often is too common to tell anything. */
const MAX_USES = 60;

/** They are everywhere, and no other. */
const COMMON = /^(?:constructor|initialize|__\w+__|main|init|new|default|get|set|toString|run|test|setup)$/;

/**
 * Where the repository uses what a change has touched: for the innermost declarations around the changed lines of source
 * files, what `find_references` gives; "" where no grammar is known, and without tools.
 */
export async function findUsesOfChange(
  progress: readonly TaskProgress[],
  { repositoryView, parser, overlay }: { repositoryView: RepositoryView; parser: SourceParser; overlay: Overlay },
): Promise<string> {
  const references = repositoryView.toolset(1, { overlay })?.tools.find(({ name }) => name === "find_references");
  if (!references) return "";
  const names = new Set<string>();
  for (const one of progress) for (const name of await touchedNames(one, parser)) names.add(name);
  const found: string[] = [];
  const chosen = [...names].slice(0, MAX_NAMES);
  for (const name of chosen) {
    const text = await references.run({ name });
    if (ONLY_DECLARED.test(text) || Number(COUNT.exec(text)?.[1]) > MAX_USES) continue;
    found.push(`${name}:\n${shortened(text, MAX_CHARACTERS / chosen.length)}`);
  }
  return found.join("\n\n");
}

/** Whole lines, the rest counted. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = text.lastIndexOf("\n", most);
  const shown = text.slice(0, end > 0 ? end : most);
  return `${shown}\n… ${text.slice(shown.length).trim().split("\n").length} more lines`;
}

async function touchedNames({ task, change, before }: TaskProgress, parser: SourceParser): Promise<string[]> {
  if (!change || before === undefined) return [];
  if (!isSource(task.path)) return [];
  const lines = change.content && readText(change.content)?.lines;
  const symbols = (lines && (await parser.symbols(task.path, lines.join("")))) ?? [];
  // What the change brings in is used nowhere else.
  const old = new Set(
    (await parser.symbols(task.path, readText(before)?.lines.join("") ?? ""))?.map(({ name }) => name),
  );
  const touched = diffLines(change.diff).flatMap(({ added, besideRemoved }) => [...added, ...besideRemoved]);
  const inner = touched.flatMap((line) => {
    const around = symbols.filter(({ start, end }) => start <= line && line <= end);
    const size = ({ start, end }: SourceSymbol) => end - start;
    // What is declared in a function cannot be used elsewhere: the function can.
    const callable = around.filter(({ kind }) => CALLABLE.has(kind)).sort((a, b) => size(b) - size(a));
    if (callable.length > 0) return callable.slice(0, 1);
    const own = around.filter(({ kind, start }) => !isContainer(kind) || start === line);
    return own.sort((a, b) => size(a) - size(b)).slice(0, 1);
  });
  return [...new Set(inner.map(({ name }) => name))].filter(
    (name) => name.length > 2 && old.has(name) && !COMMON.test(name),
  );
}
