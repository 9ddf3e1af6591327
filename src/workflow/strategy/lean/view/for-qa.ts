import { diffLines } from "../../../../edits/diff.ts";
import { linesIn, numberedSpans, type Span } from "../../../../edits/numbered.ts";
import { readText } from "../../../../edits/text-file.ts";
import type { IssueSnapshot } from "../../../../model/discussion.ts";
import type { MadePlan, Task } from "../../../../model/plan.ts";
import {
  CALLABLE,
  holdsDeclarations,
  isTestKind,
  type SourceParser,
  type SourceSymbol,
} from "../../../../ports/source-parser.ts";
import { groupOf, isTestPath } from "../../../../search/classify-file.ts";
import { diffForReview, isSource } from "./diffs.ts";
import { type AbsentLiteral, absentLiterals, exampleOf, viewFault } from "./issue-example.ts";
import { callsIn } from "./neighbours.ts";
import { findCallees, findUses, type SeenLines, type UsesInput } from "./related-code.ts";
import type { Overlay, RepositoryView } from "./repository-view.ts";

const CODE: ReadonlySet<string | null> = new Set(["source", "test"]);

/** A task's file, as it was and as it is now. */
export interface ChangedFile {
  readonly task: Pick<Task, "path">;
  /** undefined: it did not exist */
  readonly before: Uint8Array | undefined;
  /** `content: undefined` deletes it */
  readonly change?: { readonly content: Uint8Array | undefined; readonly diff: string };
}

/** What QA is shown beside the diffs. */
export interface QaView {
  /** declarations of the changed files that the change or its cause names, and the diffs do not show; "" for none */
  readonly called: string;
  /** the line at fault as it was, with its function; "" where the diffs show it */
  readonly fault: string;
  /** the code of the issue's own example, as it is written there; "" for none */
  readonly example: string;
  /** literals of the issue that the change does not have */
  readonly absent: readonly AbsentLiteral[];
  /** where the rest of the repository uses what changed; "" when nowhere */
  readonly uses: string;
  /** the repository has tests */
  readonly tests: boolean;
}

interface QaInput {
  readonly issue: IssueSnapshot;
  readonly plan: Pick<MadePlan, "reason" | "at">;
  readonly repositoryView: RepositoryView;
  readonly parser: SourceParser;
  /** the change as it stands */
  readonly overlay: Overlay;
}

/** What QA would otherwise look up: the code that the change calls and is called by, and what the issue asks of it. */
export async function viewForQa(changed: readonly ChangedFile[], input: QaInput): Promise<QaView> {
  const { issue, plan, repositoryView, parser, overlay } = input;
  const { text: called, seen } = await viewCalled(changed, { parser, reason: plan.reason });
  // Of the changed files themselves, what matters is shown already.
  const callees = await findCallees(calledIn(changed), input, new Set(changed.map(({ task }) => task.path)));
  // In a further round the parts that did not change since are not shown: what they have is asked of the whole change.
  const written = changed.map(({ task, change }) => `${task.path}\n${change?.diff ?? ""}`).join("\n");
  return {
    called: [called, callees].filter((text) => text !== "").join("\n\n"),
    fault: await viewFault(plan.at, { repositoryView, parser, shown: `${written}\n${called}` }),
    example: changed.some(({ task }) => isTestPath(task.path)) ? exampleOf(issue) : "",
    absent: absentLiterals(issue, written),
    uses: await findUsesOfChange(changed, { repositoryView, overlay, parser, seen }),
    tests: await repositoryView.hasTests(overlay),
  };
}

const linesOf = (content: Uint8Array | undefined) => (content && readText(content)?.lines) || [];

/** Lines of a declaration that is worth showing, of one that is no function, and characters of all of them. */
const MAX_LENGTH = 30;

const MAX_VALUE_LENGTH = 8;

const BUDGET = 2_500;

const WORD = /[\p{L}_$][\p{L}\p{N}_$]{4,}\(?/gu;

/** The names in a text: a plain word is one where it is called. */
const namesIn = (text: string): string[] =>
  (text.match(WORD) ?? [])
    .filter((word) => word.endsWith("(") || /[\p{Lu}_$\d]/u.test(word.slice(1)))
    .map((word) => word.replace("(", ""));

const A_PATH = /[\w./-]+/g;

/** Places in a changed file that use what changed, and lines around each. */
const MAX_SITES = 4;

const AROUND = 2;

/**
 * What QA would have to look up otherwise: short declarations of the changed files that the new lines or the words on the
 * cause name, and the places in these files that use what changed, where the diffs do not show them. `seen` has all lines
 * that are shown then.
 */
export async function viewCalled(
  team: readonly ChangedFile[],
  { parser, reason }: { parser: SourceParser; reason: string },
): Promise<{ readonly text: string; readonly seen: SeenLines }> {
  const named = new Set(namesIn(reason.replace(A_PATH, (text) => (text.includes("/") ? "" : text))));
  for (const { task, change } of team) {
    // What only a test calls says nothing of the change.
    if (!isSource(task.path)) continue;
    const added = change?.diff.match(/^\+(?!\+\+).*$/gm) ?? [];
    for (const name of namesIn(added.join("\n"))) named.add(name);
  }
  const parts: string[] = [];
  const seen = new Map<string, Set<number>>();
  let room = BUDGET;
  for (const progress of team) {
    const { task, before, change } = progress;
    const lines = linesOf(change?.content);
    if (!change || lines.length === 0) continue;
    const { shown } = await diffForReview({ path: task.path, before, after: change.content }, parser);
    seen.set(task.path, shown);
    if (!isSource(task.path)) continue;
    const wanted = [
      ...(await usedIn(progress, lines, shown, parser)),
      ...(await declaredIn(progress, lines, shown, { parser, named })),
    ];
    const spans: Span[] = [];
    let text = "";
    for (const span of wanted) {
      const more = `${task.path}\n${numberedSpans(
        lines,
        [...spans, span].sort((a, b) => a.start - b.start),
      )}`;
      if (more.length > room) continue;
      text = more;
      spans.push(span);
    }
    if (text === "") continue;
    for (const line of spans.flatMap(linesIn)) shown.add(line);
    room -= text.length;
    parts.push(text);
  }
  return { text: parts.join("\n\n"), seen };
}

/** The names that the new lines of sources call, in their order. */
export function calledIn(team: readonly ChangedFile[]): readonly string[] {
  const added = team
    .filter(({ task }) => isSource(task.path))
    .flatMap(({ change }) => change?.diff.match(/^\+(?!\+\+).*$/gm) ?? []);
  return [...callsIn(added.join("\n"))];
}

async function declaredIn(
  { task }: ChangedFile,
  lines: readonly string[],
  shown: ReadonlySet<number>,
  { parser, named }: { parser: SourceParser; named: ReadonlySet<string> },
): Promise<Span[]> {
  const symbols = (await parser.symbols(task.path, lines.join(""))) ?? [];
  return symbols
    .filter(({ name, start, end }) => named.has(name) && end > start && end - start < MAX_LENGTH)
    .filter(({ kind, start, end }) => CALLABLE.has(kind) || isContainer(kind) || end - start < MAX_VALUE_LENGTH)
    .filter((symbol) => {
      const all = linesIn(symbol);
      return all.filter((line) => !shown.has(line)).length > all.length / 2;
    });
}

/** Where the changed file itself uses what changed. */
async function usedIn(
  progress: ChangedFile,
  lines: readonly string[],
  shown: ReadonlySet<number>,
  parser: SourceParser,
): Promise<Span[]> {
  const symbols = (await parser.symbols(progress.task.path, lines.join(""))) ?? [];
  const sites = new Set<number>();
  for (const name of await touchedNames(progress, parser)) {
    const used = (await parser.references(progress.task.path, lines.join(""), name)) ?? [];
    const declared = new Set(symbols.filter((symbol) => symbol.name === name).map(({ start }) => start));
    for (const line of used) if (!shown.has(line) && !declared.has(line)) sites.add(line);
  }
  return [...sites].slice(0, MAX_SITES).map((line) => ({ start: line - AROUND, end: line + AROUND }));
}

/** Around a line that no function is around: who uses them is not said to use what changed. */
const isContainer = (kind: string) => holdsDeclarations(kind) || isTestKind(kind);

/**
 * Where else the repository uses what a change has touched: for the innermost declarations around the changed lines of
 * source files, what `find_references` gives, without lines that are `seen` already; "" where no grammar is known, and
 * without tools.
 */
export async function findUsesOfChange(
  progress: readonly ChangedFile[],
  { parser, ...where }: UsesInput & { readonly parser: SourceParser },
): Promise<string> {
  const names = new Set<string>();
  for (const one of progress) for (const name of await touchedNames(one, parser)) names.add(name);
  return findUses([...names], { ...where, wanted: (path) => CODE.has(groupOf(path)) });
}

async function touchedNames({ task, change, before }: ChangedFile, parser: SourceParser): Promise<string[]> {
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
  return [...new Set(inner.map(({ name }) => name))].filter((name) => old.has(name));
}
