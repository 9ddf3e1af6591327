import { diffLines } from "../../../../edits/diff.ts";
import { linesIn, numberedSpans, type Span } from "../../../../edits/numbered.ts";
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
import { type AbsentLiteral, absentLiterals, exampleOf, type IssueExample, viewFault } from "./issue-example.ts";
import { callsIn } from "./neighbours.ts";
import { type ParsedFile, parseFile } from "./parsed-file.ts";
import { findPinningTests } from "./pinning-tests.ts";
import { findCallees, findUses } from "./related-code.ts";
import type { Overlay, RepositoryView } from "./repository-view.ts";
import { findSuperCalls } from "./super-calls.ts";

/** Characters of uses elsewhere, with tests that hold what went away. */
const USES_BUDGET = 3_000;

const CODE: ReadonlySet<string | null> = new Set(["source", "test"]);

/** A task's file before and after. */
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
  /** the issue's own example */
  readonly example: IssueExample;
  /** literals of the issue that the change does not have */
  readonly absent: readonly AbsentLiteral[];
  /** where the rest of the repository uses what changed, and tests that hold what went away; "" when nowhere */
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
  const opened = await Promise.all(changed.map((one) => openChange(one, parser)));
  const files = opened.filter((file) => file !== undefined);
  const called = await viewCalled(files, { parser, reason: plan.reason });
  const callees = callsIn(files.map(({ added }) => added).join("\n"));
  const sources = files.filter(({ path }) => isSource(path));
  const supers = await findSuperCalls(sources, { repositoryView, overlay });
  // The changed files are shown already.
  const elsewhere = await findCallees([...callees], input, {
    except: new Set(changed.map(({ task }) => task.path)),
    shown: supers,
  });
  // The whole change counts here, also the parts that a further round does not show again.
  const written = changed.map(({ task, change }) => `${task.path}\n${change?.diff ?? ""}`).join("\n");
  // What went away comes first, within the same number of characters.
  const diffs = changed.map(({ task, change }) => ({ path: task.path, diff: change?.diff ?? "" }));
  const pinned = await findPinningTests(diffs, { repositoryView, overlay });
  const uses = await findUses(
    files.flatMap(({ path, touched }) => touched.map((name) => ({ name, path }))),
    {
      repositoryView,
      parser,
      overlay,
      most: USES_BUDGET - pinned.length,
      seen: new Map(files.map(({ path, shown }) => [path, shown])),
      wanted: (path) => CODE.has(groupOf(path)),
    },
  );
  return {
    called: [called, supers, elsewhere].filter((text) => text !== "").join("\n\n"),
    fault: await viewFault(plan.at, { repositoryView, parser, shown: `${written}\n${called}` }),
    example: changed.some(({ task }) => isTestPath(task.path)) ? exampleOf(issue) : { text: "" },
    absent: absentLiterals(issue, written),
    uses: [pinned, uses].filter((text) => text !== "").join("\n\n"),
    tests: await repositoryView.hasTests(overlay),
  };
}

/** A changed file as it is now; of a source also its new lines, and the declarations that they change. */
interface OpenedChange extends ParsedFile {
  readonly path: string;
  /** the numbers of the lines that QA sees */
  readonly shown: Set<number>;
  readonly added: string;
  readonly touched: readonly string[];
}

async function openChange(changed: ChangedFile, parser: SourceParser): Promise<OpenedChange | undefined> {
  const { task, before, change } = changed;
  if (!change) return undefined;
  const { path } = task;
  const { lines, symbols, shown } = await diffForReview({ path, before, after: change.content }, parser);
  const file = { path, lines, symbols, shown };
  // Calls in tests say nothing about the change.
  if (!isSource(path)) return { ...file, added: "", touched: [] };
  const added = (change.diff.match(/^\+(?!\+\+).*$/gm) ?? []).join("\n");
  // New declarations are used nowhere else.
  const old = new Set((await parseFile(path, before, parser)).symbols.map(({ name }) => name));
  return { ...file, added, touched: touchedNames(change.diff, symbols).filter((name) => old.has(name)) };
}

/** A user of a class or suite does not necessarily use the changed line in it. */
const isContainer = (kind: string) => holdsDeclarations(kind) || isTestKind(kind);

/** Names the declarations around changed lines: the outermost function, since nothing in it can be used elsewhere. */
function touchedNames(diff: string, symbols: readonly SourceSymbol[]): readonly string[] {
  const touched = diffLines(diff).flatMap(({ added, besideRemoved }) => [...added, ...besideRemoved]);
  const size = ({ start, end }: SourceSymbol) => end - start;
  const names = touched.flatMap((line) => {
    const around = symbols.filter(({ start, end }) => start <= line && line <= end);
    const [outer] = around.filter(({ kind }) => CALLABLE.has(kind)).sort((a, b) => size(b) - size(a));
    const own = around.filter(({ kind, start }) => !isContainer(kind) || start === line);
    const [inner] = own.sort((a, b) => size(a) - size(b));
    return (outer ?? inner)?.name ?? [];
  });
  return [...new Set(names)];
}

/** Lines of a function that is worth showing, and of other declarations; characters of them all. */
const MAX_LENGTH = 30;

const MAX_VALUE_LENGTH = 8;

const BUDGET = 2_500;

const WORD = /[\p{L}_$][\p{L}\p{N}_$]{4,}\(?/gu;

/** The names in a text. A plain word counts only if it is called. */
const namesIn = (text: string): string[] =>
  (text.match(WORD) ?? [])
    .filter((word) => word.endsWith("(") || /[\p{Lu}_$\d]/u.test(word.slice(1)))
    .map((word) => word.replace("(", ""));

const A_PATH = /[\w./-]+/g;

/** Uses that are shown of a changed file, and lines around each. */
const MAX_SITES = 4;

const AROUND = 2;

/**
 * Shows what the diffs leave out of the changed files: uses of what changed, and short declarations that the new lines
 * or the words on the cause name. Adds the lines to each file's `shown`.
 */
async function viewCalled(
  files: readonly OpenedChange[],
  { parser, reason }: { readonly parser: SourceParser; readonly reason: string },
): Promise<string> {
  const cause = reason.replace(A_PATH, (text) => (text.includes("/") ? "" : text));
  const named = new Set([cause, ...files.map(({ added }) => added)].flatMap(namesIn));
  const parts: string[] = [];
  let left = BUDGET;
  for (const file of files.filter(({ path }) => isSource(path))) {
    const spans: Span[] = [];
    let text = "";
    for (const span of [...(await usedIn(file, parser)), ...declaredIn(file, named)]) {
      const inOrder = [...spans, span].sort((a, b) => a.start - b.start);
      const more = `${file.path}\n${numberedSpans(file.lines, inOrder)}`;
      if (more.length > left) continue;
      text = more;
      spans.push(span);
    }
    for (const line of spans.flatMap(linesIn)) file.shown.add(line);
    left -= text.length;
    if (text !== "") parts.push(text);
  }
  return parts.join("\n\n");
}

/** Short declarations of these names that are more than half unseen. */
function declaredIn({ symbols, shown }: OpenedChange, named: ReadonlySet<string>): readonly Span[] {
  return symbols
    .filter(({ name, start, end }) => named.has(name) && end > start && end - start < MAX_LENGTH)
    .filter(({ kind, start, end }) => CALLABLE.has(kind) || isContainer(kind) || end - start < MAX_VALUE_LENGTH)
    .filter((symbol) => {
      const all = linesIn(symbol);
      return all.filter((line) => !shown.has(line)).length > all.length / 2;
    });
}

/** Where the file itself uses what changed. */
async function usedIn(
  { path, lines, symbols, shown, touched }: OpenedChange,
  parser: SourceParser,
): Promise<readonly Span[]> {
  const sites = new Set<number>();
  for (const name of touched) {
    const used = (await parser.references(path, lines.join(""), name)) ?? [];
    const declared = new Set(symbols.filter((symbol) => symbol.name === name).map(({ start }) => start));
    for (const line of used) if (!shown.has(line) && !declared.has(line)) sites.add(line);
  }
  return [...sites].slice(0, MAX_SITES).map((line) => ({ start: line - AROUND, end: line + AROUND }));
}
