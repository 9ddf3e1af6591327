import { diffLines } from "../../../code/edits/diff.ts";
import { mapLine } from "../../../code/edits/file-change.ts";
import { numberLine, numbersIn } from "../../../code/edits/numbered.ts";
import { stripTerminator } from "../../../code/edits/text-file.ts";
import {
  CALLABLE,
  holdsDeclarations,
  isTestKind,
  type SourceParser,
  type SourceSymbol,
} from "../../../code/source-parser.ts";
import type { IssueSnapshot } from "../../../data/discussion.ts";
import type { MadePlan, Place, Task } from "../../../data/plan.ts";
import { groupOf } from "../../../search/classify-file.ts";
import type { SeenLines } from "../../tools/define-tool.ts";
import { diffForReview, isSource } from "./diffs.ts";
import {
  excerptOf,
  fillBudget,
  linedFiles,
  type OpenFile,
  openFile,
  partsText,
  type ShownParts,
  seenIn,
} from "./excerpts.ts";
import { parseFile } from "./parsed-file.ts";
import { findCallees, findUses } from "./related-code.ts";
import { linesOf, type Overlay, type RepositoryView } from "./repository-view.ts";
import { type RespeltLiteral, respeltLiterals } from "./respelt-literals.ts";

/** Characters of uses elsewhere. */
const USES_BUDGET = 3_000;

/** A task's file before and after. */
export interface ChangedFile {
  task: Pick<Task, "path">;
  /** undefined: it did not exist */
  before: Uint8Array | undefined;
  /** `content: undefined` deletes it */
  change?: { content: Uint8Array | undefined; diff: string };
}

/** What QA is shown beside the diffs. */
export interface QaView {
  /** short functions that new lines call, and the line at fault, where nothing else shows them; "" for none */
  called: string;
  /** literals of the issue that the change spells otherwise */
  respelt: readonly RespeltLiteral[];
  /** where the rest of the repository uses what changed; "" when nowhere */
  uses: string;
  /** the repository has tests */
  tests: boolean;
}

interface QaInput {
  issue: IssueSnapshot;
  plan: Pick<MadePlan, "at" | "view">;
  repositoryView: RepositoryView;
  parser: SourceParser;
  /** the change as it stands */
  overlay: Overlay;
}

/** What QA would otherwise look up: the code that the change calls and is called by, and what the issue asks of it. */
export async function viewForQa(
  changed: readonly ChangedFile[],
  input: QaInput,
): Promise<QaView & { seen: SeenLines }> {
  const { issue, repositoryView, parser, overlay } = input;
  const opened = await Promise.all(changed.map((one) => openChange(one, input)));
  const files = opened.filter((file) => file !== undefined);
  const above = await linesAbove(files, input);
  const called = await viewCalled(files, input, above);
  const seen = new Map(above);
  for (const [path, lines] of seenIn(called)) seen.set(path, new Set([...(seen.get(path) ?? []), ...lines]));
  const uses = await findUses(
    files.flatMap(({ path, touched }) => touched.map((name) => ({ name, path }))),
    {
      repositoryView,
      parser,
      overlay,
      most: USES_BUDGET,
      seen,
    },
  );
  // The whole change counts here, also the parts that a further round does not show again.
  const written = changed.filter(({ task }) => groupOf(task.path) !== "documentation");
  const added = written.map(({ change }) => addedIn(change?.diff ?? "")).join("\n");
  return {
    called: partsText(called),
    respelt: respeltLiterals(issue, added),
    uses,
    tests: await repositoryView.hasTests(overlay),
    seen,
  };
}

/** A changed file as it is now; of a source also its new lines, and the declarations that they change. */
interface OpenedChange extends OpenFile {
  /** the numbers of the lines that the diff shows, and their text */
  shown: ReadonlySet<number>;
  text: string;
  added: string;
  touched: readonly string[];
}

async function openChange(
  { task, before, change }: ChangedFile,
  { parser, plan: { view } }: QaInput,
): Promise<OpenedChange | undefined> {
  if (!change) return undefined;
  const { path } = task;
  const { shown } = await diffForReview({ path, before, after: change.content, view }, parser);
  const open = await openFile(path, change.content, { parser });
  const file = { ...open, shown, text: open.lines.filter((_, at) => shown.has(at + 1)).join("") };
  // Calls in tests say nothing about the change.
  if (!isSource(path)) return { ...file, added: "", touched: [] };
  // New declarations are used nowhere else.
  const old = new Set((await parseFile(path, before, parser)).symbols.map(({ name }) => name));
  const touched = touchedNames(change.diff, file.symbols).filter((name) => old.has(name));
  return { ...file, added: addedIn(change.diff), touched };
}

/** The lines that a diff adds, with their marks. */
const addedIn = (diff: string): string => (diff.match(/^\+(?!\+\+).*$/gm) ?? []).join("\n");

/** A user of a class or suite does not necessarily use the changed line in it. */
const isContainer = (kind: string) => holdsDeclarations(kind) || isTestKind(kind);

/** Names the innermost declarations around changed lines. */
function touchedNames(diff: string, symbols: readonly SourceSymbol[]): readonly string[] {
  const touched = diffLines(diff).flatMap(({ added, nextToRemoved }) => [...added, ...nextToRemoved]);
  const size = ({ start, end }: SourceSymbol) => end - start;
  const names = touched.flatMap((line) => {
    const around = symbols.filter(({ start, end }) => start <= line && line <= end);
    const own = around.filter(({ kind, start }) => !isContainer(kind) || start === line);
    const functions = own.filter(({ kind }) => CALLABLE.has(kind));
    const [inner] = (functions.length > 0 ? functions : own).sort((one, other) => size(one) - size(other));
    return inner?.name ?? [];
  });
  return [...new Set(names)];
}

/** Characters of what the new lines call, and lines shown around the line at fault. */
const CALLED_BUDGET = 5_500;

const AROUND_FAULT = 12;

/** Shows what neither the Manager's view nor the diffs do: the line at fault, and short functions that new lines call. */
async function viewCalled(
  files: readonly OpenedChange[],
  { plan, parser, repositoryView, overlay }: QaInput,
  seen: SeenLines,
): Promise<readonly ShownParts[]> {
  const planned = plan.view ? linedFiles(plan.view) : [];
  const above = [...planned.map(({ content }) => content), ...files.map(({ text }) => text)].join("\n");
  const touched = new Set(files.flatMap((file) => file.touched));
  const added = files.map((file) => file.added).join("\n");
  const places = [
    ...(await placeOfFault(plan.at, above, { repositoryView, overlay })),
    ...(await findCallees(added, { repositoryView, overlay, except: touched })),
  ];
  const opened = new Map<string, OpenFile>(files.map((file) => [file.path, file]));
  for (const { path } of places)
    if (!opened.has(path)) opened.set(path, await openFile(path, await repositoryView.read(path, overlay), { parser }));
  const isShown = ({ path, start, end }: Place) => {
    const lines = opened.get(path)?.lines.slice(Math.max(0, start - 1), end) ?? [];
    return lines.every((line) => above.includes(line.trim()));
  };
  const excerpts = places
    .filter((place) => !isShown(place))
    .map((place, at) => excerptOf(place, { path: place.path, why: "", worth: -at }));
  return fillBudget(excerpts, [...opened.values()], { budget: CALLED_BUDGET, seen });
}

/** The line at fault with those around it, as the change leaves them, unless it stands `above` or is gone. */
async function placeOfFault(
  at: MadePlan["at"],
  above: string,
  { repositoryView, overlay }: Pick<QaInput, "repositoryView" | "overlay">,
): Promise<readonly Place[]> {
  if (!at) return [];
  const { path } = at;
  const [before, after] = [await linesOf(path, repositoryView), await linesOf(path, repositoryView, overlay)];
  const line = before[at.line - 1]?.trim() ?? "";
  if (line === "" || above.includes(line)) return [];
  const now = mapLine(before, after, at.line);
  const isThere = after[now - 1]?.trim() === line;
  return isThere ? [{ path, start: now - AROUND_FAULT, end: now + AROUND_FAULT }] : [];
}

/**
 * The lines that stand above: of changed files in the diffs, of others in the Manager's view, where the file still has
 * them. A test that was pushed before its fix moves the others.
 */
async function linesAbove(
  files: readonly OpenedChange[],
  { plan: { view }, repositoryView }: QaInput,
): Promise<SeenLines> {
  const planned = (view ? linedFiles(view) : []).map(async ({ path, content }) => {
    const [lines, rows] = [await linesOf(path, repositoryView), new Set(content.split("\n"))];
    const isSame = (at: number) => rows.has(numberLine(at, stripTerminator(lines[at - 1] ?? "")));
    return [path, new Set(numbersIn(content).filter(isSame))] as const;
  });
  return new Map([...(await Promise.all(planned)), ...files.map(({ path, shown }) => [path, shown] as const)]);
}
