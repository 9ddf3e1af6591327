import { diffLines } from "../../../code/edits/diff.ts";
import { linesIn, numbersIn, type Span } from "../../../code/edits/numbered.ts";
import {
  CALLABLE,
  holdsDeclarations,
  isTestKind,
  type SourceParser,
  type SourceSymbol,
} from "../../../code/source-parser.ts";
import type { IssueSnapshot } from "../../../data/discussion.ts";
import type { MadePlan, Task } from "../../../data/plan.ts";
import { groupOf } from "../../../search/classify-file.ts";
import { isKeyword } from "../../../search/terms.ts";
import type { SeenLines } from "../../tools/define-tool.ts";
import { diffForReview, isSource } from "./diffs.ts";
import { excerptOf, fillBudget, type OpenFile, openFile, partsText, type ShownParts, seenIn } from "./excerpts.ts";
import { parseFile } from "./parsed-file.ts";
import { findPinningTests } from "./pinning-tests.ts";
import { findCallees, findUses } from "./related-code.ts";
import type { Overlay, RepositoryView } from "./repository-view.ts";
import { type RespeltLiteral, respeltLiterals } from "./respelt-literals.ts";

/** Characters of uses elsewhere, with tests that hold what went away. */
const USES_BUDGET = 3_000;

const CODE: ReadonlySet<string | null> = new Set(["source", "test"]);

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
  /** declarations of the changed files that the change or its cause names, and the diffs do not show; "" for none */
  called: string;
  /** the line at fault as it was, with its function; "" where the diffs show it */
  fault: string;
  /** literals of the issue that the change spells otherwise */
  respelt: readonly RespeltLiteral[];
  /** where the rest of the repository uses what changed, and tests that hold what went away; "" when nowhere */
  uses: string;
  /** the repository has tests */
  tests: boolean;
}

interface QaInput {
  issue: IssueSnapshot;
  plan: Pick<MadePlan, "reason" | "at">;
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
  const { issue, plan, repositoryView, parser, overlay } = input;
  const opened = await Promise.all(changed.map((one) => openChange(one, parser)));
  const files = opened.filter((file) => file !== undefined);
  // The whole change counts here, also the parts that a further round does not show again.
  const written = changed.map(({ change }) => change?.diff ?? "").join("\n");
  const around = files.filter(({ path }) => path === plan.at?.path).map(shownIn);
  const fault = await viewFault([written, ...around].join("\n"), input);
  const called = await viewCalled(files, input, fault);
  const alsoSeen = seenIn(called);
  const seen = new Map(files.map(({ path, shown }) => [path, new Set([...shown, ...(alsoSeen.get(path) ?? [])])]));
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
      seen,
      wanted: (path) => CODE.has(groupOf(path)),
    },
  );
  return {
    called: partsText(called),
    fault,
    respelt: respeltLiterals(issue, addedIn(written)),
    uses: [pinned, uses].filter((text) => text !== "").join("\n\n"),
    tests: await repositoryView.hasTests(overlay),
    seen,
  };
}

/** Lines shown around the line at fault, and characters of all of them. */
const AROUND_FAULT = 12;

const FAULT_BUDGET = 3_000;

/** Shows the line at fault that the Manager names, before the change, in its function; "" if `shown` has it. */
async function viewFault(shown: string, { plan: { at }, repositoryView, parser }: QaInput): Promise<string> {
  if (!at) return "";
  const file = await openFile(at.path, await repositoryView.read(at.path), { parser });
  const line = (file.lines[at.line - 1] ?? "").trim();
  if (line === "" || shown.includes(line)) return "";
  const around = { start: at.line - AROUND_FAULT, end: at.line + AROUND_FAULT };
  const excerpt = excerptOf(around, { path: at.path, why: "", worth: 0, cutTo: 2 * AROUND_FAULT + 1 });
  const [part] = fillBudget([excerpt], [file], { budget: FAULT_BUDGET });
  return part ? `${at.path}, line ${at.line}:\n${part.content}` : "";
}

/** A changed file as it is now; of a source also its new lines, and the declarations that they change. */
interface OpenedChange extends OpenFile {
  /** the numbers of the lines that the diff shows */
  shown: ReadonlySet<number>;
  added: string;
  touched: readonly string[];
}

async function openChange(changed: ChangedFile, parser: SourceParser): Promise<OpenedChange | undefined> {
  const { task, before, change } = changed;
  if (!change) return undefined;
  const { path } = task;
  const { shown } = await diffForReview({ path, before, after: change.content }, parser);
  const file = { ...(await openFile(path, change.content, { parser })), shown };
  // Calls in tests say nothing about the change.
  if (!isSource(path)) return { ...file, added: "", touched: [] };
  // New declarations are used nowhere else.
  const old = new Set((await parseFile(path, before, parser)).symbols.map(({ name }) => name));
  const touched = touchedNames(change.diff, file.symbols).filter((name) => old.has(name));
  return { ...file, added: addedIn(change.diff), touched };
}

/** The lines that the diff shows of a changed file. */
const shownIn = ({ lines, shown }: OpenedChange): string => lines.filter((_, at) => shown.has(at + 1)).join("");

/** The lines that a diff adds, with their marks. */
const addedIn = (diff: string): string => (diff.match(/^\+(?!\+\+).*$/gm) ?? []).join("\n");

/** A user of a class or suite does not necessarily use the changed line in it. */
const isContainer = (kind: string) => holdsDeclarations(kind) || isTestKind(kind);

/** Names the declarations around changed lines: the outermost function, since nothing in it can be used elsewhere. */
function touchedNames(diff: string, symbols: readonly SourceSymbol[]): readonly string[] {
  const touched = diffLines(diff).flatMap(({ added, nextToRemoved }) => [...added, ...nextToRemoved]);
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

/** Characters of what the changed code calls or is called by, and lines of a function and of another declaration. */
const CALLED_BUDGET = 5_500;

const MAX_LENGTH = 30;

const MAX_VALUE_LENGTH = 8;

const WORD = /[\p{L}_$][\p{L}\p{N}_$]{4,}\(?/gu;

/** The names in a text. A plain word counts only if it is called. */
const namesIn = (text: string): string[] =>
  (text.match(WORD) ?? [])
    .filter((word) => word.endsWith("(") || /[\p{Lu}_$\d]/u.test(word.slice(1)))
    .map((word) => word.replace("(", ""))
    .filter((word) => !isKeyword(word));

const A_PATH = /[\w./-]+/g;

/** Uses that are shown of a changed file, and lines around each. */
const MAX_SITES = 4;

const AROUND = 2;

/**
 * Shows what the diffs leave out, the first of these first: uses of what changed in its own file, short declarations
 * there that the new lines or the words on the cause name, and short functions elsewhere that they call.
 */
async function viewCalled(
  files: readonly OpenedChange[],
  { plan, parser, repositoryView, overlay }: QaInput,
  fault: string,
): Promise<readonly ShownParts[]> {
  const sources = files.filter(({ path }) => isSource(path));
  const cause = plan.reason.replace(A_PATH, (text) => (text.includes("/") ? "" : text));
  const added = files.map((file) => file.added).join("\n");
  const named = new Set([cause, added].flatMap(namesIn));
  // What else has the name of a changed function is another one.
  for (const { touched } of files) for (const name of touched) named.delete(name);
  // The changed files are shown already.
  const changed = new Set(files.map(({ path }) => path));
  const byWorth = [
    (await Promise.all(sources.map((file) => usedIn(file, parser)))).flat(),
    sources.flatMap((file) => declaredIn(file, named)),
    await findCallees(added, { repositoryView, overlay, except: changed }),
  ];
  const excerpts = byWorth.flatMap((places, index) =>
    places.map((place) => excerptOf(place, { path: place.path, why: "", worth: -index })),
  );
  const elsewhere = [...new Set(excerpts.map(({ path }) => path))].filter(
    (path) => !sources.some((file) => file.path === path),
  );
  const others = await Promise.all(
    elsewhere.map(async (path) => openFile(path, await repositoryView.read(path, overlay), { parser })),
  );
  const seen = new Map(files.map(({ path, shown }) => [path, shown]));
  if (plan.at && !seen.has(plan.at.path)) seen.set(plan.at.path, new Set(numbersIn(fault)));
  return fillBudget(excerpts, [...sources, ...others], { budget: CALLED_BUDGET, seen });
}

interface SpanOfFile extends Span {
  path: string;
}

/** Short declarations of these names that are more than half unseen. */
function declaredIn({ path, symbols, shown }: OpenedChange, named: ReadonlySet<string>): readonly SpanOfFile[] {
  return symbols
    .filter(({ name, stub, start, end }) => named.has(name) && !stub && end > start && end - start < MAX_LENGTH)
    .filter(({ kind, start, end }) => CALLABLE.has(kind) || isContainer(kind) || end - start < MAX_VALUE_LENGTH)
    .filter((symbol) => {
      const all = linesIn(symbol);
      return all.filter((line) => !shown.has(line)).length > all.length / 2;
    })
    .map(({ start, end }) => ({ path, start, end }));
}

/** Where the file itself uses what changed. */
async function usedIn(
  { path, lines, symbols, shown, touched }: OpenedChange,
  parser: SourceParser,
): Promise<readonly SpanOfFile[]> {
  const sites = new Set<number>();
  for (const name of touched) {
    const used = (await parser.references(path, lines.join(""), name)) ?? [];
    const declared = new Set(symbols.filter((symbol) => symbol.name === name).map(({ start }) => start));
    for (const line of used) if (!shown.has(line) && !declared.has(line)) sites.add(line);
  }
  return [...sites].slice(0, MAX_SITES).map((line) => ({ path, start: line - AROUND, end: line + AROUND }));
}
