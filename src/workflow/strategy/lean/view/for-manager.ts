import { focusedExcerpt } from "../../../../edits/focused-excerpt.ts";
import { linesIn, numbersIn, type Span } from "../../../../edits/numbered.ts";
import { takeBranches } from "../../../../edits/take-branches.ts";
import { IMPORT } from "../../../../edits/text-file.ts";
import { isAnswerError } from "../../../../model/error.ts";
import { CALLABLE, holdsDeclarations } from "../../../../ports/source-parser.ts";
import { isTestPath } from "../../../../search/classify-file.ts";
import { lineScoresInTurns } from "../../../../search/terms.ts";
import type { PlanInput } from "../../../run/strategy.ts";
import { aboutIssue } from "./about-issue.ts";
import { isDocument, type PlanningView, viewCandidates } from "./candidates.ts";
import { beginningOf, namedDeclarations, withComment } from "./declarations.ts";
import { isExample, type NotesView } from "./notes.ts";
import { type ParsedFile, parseFile } from "./parsed-file.ts";
import { findLines } from "./related-code.ts";
import { type RepositoryView, whyNot } from "./repository-view.ts";
import { CUSTODIAN_BUDGETS } from "./token-budgets.ts";

/** Up to this many characters nobody is asked to choose. */
const FEW = 9_000;

/**
 * Characters of the chosen lines: about as many tokens as one look-up costs, which sends the whole prompt again. Lines
 * that were chosen and not shown were looked up in most runs. The Custodian is told a lower number: it cannot count.
 */
const BUDGET = 22_000;

/** The part of it that is kept for tests, which are named last. */
const TESTS_BUDGET = 5_000;

const STATED_BUDGET = 9_000;

/** A longer place is shown by its best branches, up to this many lines. */
const MAX_LENGTH = 160;

/** Lines shown around a range: an edit needs to see its neighbours. */
const AROUND = 1;

/** A function that is mostly chosen is shown whole up to this many lines. */
const MAX_WHOLE_LENGTH = 30;

/** Of many imports, the first and the last lines are shown. */
const FIRST_IMPORTS = 8;

const LAST_IMPORTS = 14;

/** Characters for the names of functions that are not shown. */
const NAMES_BUDGET = 1_200;

/** What the Custodian is asked to choose lines from. */
export interface LinesToChooseFrom extends Omit<PlanningView, "files" | "note"> {
  /** `declared`: functions in it that are not shown, with their lines; "" for none */
  readonly files: readonly (PlanningView["files"][number] & { readonly declared: string })[];
  /** characters that it may choose */
  readonly room: number;
}

/** The chosen places, such as `src/a.ts:1-9` or `src/a.ts:name`, and patterns to search for. */
export interface ChosenLines {
  readonly lines: readonly string[];
  readonly search: readonly { readonly pattern: string; readonly path: string }[];
}

/** Says in a sentence why a path cannot be shown; undefined if it can. Said once: what is named again is left out. */
export type FaultOf = (path: string) => string | undefined;

/** Asks the Custodian; `faultOf` says why a place cannot be shown. */
type ChooseLines = (shown: LinesToChooseFrom, faultOf: FaultOf) => Promise<ChosenLines>;

type LineChoiceInput = PlanInput & { readonly repositoryView: RepositoryView };

/**
 * Shows the Manager the candidates: all of a short view, else the lines that the Custodian chooses from a wider one.
 * Names and words choose if the Custodian gives no usable answer, picks nothing that may have to change, or picks
 * poorly: no function's body and nothing that the issue names.
 */
export async function viewForManager(input: LineChoiceInput, choose: ChooseLines): Promise<PlanningView> {
  if (input.settings.ablate.includes("lines")) return viewCandidates(input);
  const wide = await viewCandidates({ ...input, budgets: CUSTODIAN_BUDGETS });
  if (isShort(wide)) return wide;
  const files = await Promise.all(
    wide.files.map(async (file) => ({ ...file, declared: await namesBeside(file, input) })),
  );
  const { others, uses, tests } = wide;
  try {
    const shown = { files, others, uses, tests, room: STATED_BUDGET };
    const chosen = await choose(shown, faultOfPlace(input.repositoryView));
    const view = await viewChosen(chosen, wide, input);
    if (view === "poor") return viewFirst(input);
    return view ?? (await viewCandidates(input));
  } catch (error) {
    if (!isAnswerError(error)) throw error;
    return viewCandidates(input);
  }
}

/** What follows the path of a place. */
const PLACE_IN = /:[^:/]*$/;

function faultOfPlace(view: RepositoryView): FaultOf {
  const paths = new Set(view.paths());
  return (written) => {
    if (placeIn(written, paths).path !== undefined) return undefined;
    return whyNot(written.replaceAll("`", "").trim().replace(PLACE_IN, ""), view);
  };
}

/** Whether few characters show everything that was found, tests included and documents aside. */
function isShort({ files, others, tests, uses }: PlanningView): boolean {
  const text = [...files.map(({ content }) => content), ...tests.map(({ sample }) => sample), uses].join("");
  const all = files.every(({ whole }) => whole) && others.every(({ path }) => isDocument(path));
  return text.length <= FEW && all && tests.every(({ sample }) => sample !== "" && !sample.includes("\n⋮"));
}

const isToChange = (path: string, { candidates }: Pick<LineChoiceInput, "candidates">) =>
  candidates.some((one) => one.path === path && one.use !== "read");

/** Names the functions of a file that its parts do not show, with their lines. */
async function namesBeside(
  file: PlanningView["files"][number],
  { repositoryView, parser }: LineChoiceInput,
): Promise<string> {
  if (file.whole) return "";
  const shown = new Set(numbersIn(file.content));
  const { symbols } = await parseFile(file.path, await repositoryView.read(file.path), parser);
  let text = "";
  for (const { name, kind, start, end } of symbols) {
    if (!CALLABLE.has(kind) || shown.has(start + 1)) continue;
    const next = `${text && `${text}, `}${name} ${start}-${end}`;
    if (next.length > NAMES_BUDGET) return `${text}, …`;
    text = next;
  }
  return text;
}

/** Candidates shown in place of a poor choice. Six files cost more than a look-up; the fault was in the first of them. */
const SHOWN_FIRST = 2;

/** Shows the best-ranked candidates by names and words, and names the others. */
async function viewFirst(input: LineChoiceInput): Promise<PlanningView> {
  const [first, rest] = [input.candidates.slice(0, SHOWN_FIRST), input.candidates.slice(SHOWN_FIRST)];
  const view = await viewCandidates({ ...input, candidates: first });
  const others = rest.filter(({ path }) => !isTestPath(path)).map(({ path, summary }) => ({ path, summary }));
  return { ...view, others: [...view.others, ...others] };
}

/** Undefined if nothing is chosen that may have to change; "poor" if that cannot be where the fault is. */
async function viewChosen(
  { lines: written, search }: ChosenLines,
  wide: PlanningView,
  input: LineChoiceInput,
): Promise<PlanningView | "poor" | undefined> {
  const { chosen, missing } = await openChosen(written, input, wide.note);
  const sources = [...chosen.keys()].filter((path) => !isTestPath(path));
  const toChange = sources.filter((path) => isToChange(path, input));
  if (toChange.length === 0) return undefined;
  const worth = await Promise.all(toChange.map((path) => isTelling(chosen.get(path) as ChosenFile, input)));
  if (!worth.includes(true)) return "poor";
  const isLeftOut = ({ path }: { readonly path: string }) => !chosen.has(path);
  return {
    files: sources.map((path) => viewOf(path, chosen.get(path) as ChosenFile, isToChange(path, input))),
    // The Custodian saw these and chose nothing of them.
    others: [
      ...[...wide.files, ...wide.others].filter(isLeftOut).map(({ path }) => ({ path, summary: "" })),
      ...missing.slice(0, MAX_MISSING).map((path) => ({ path, summary: "chosen, and no such place was found" })),
    ],
    tests: testsOf(chosen, wide),
    note: wide.note,
    uses: await findLines(search, input.repositoryView),
  };
}

/** Of the best line's score for the issue's words, what a chosen line has at least. */
const TELLING = 0.5;

/** A line of a comment, in most languages. */
const REMARK = /^\s*(?:\/\/|\/?\*|--|;|#(?!define|if))/;

/** Whether the lines shown of a file hold a part of a function's body, or code that is near to the issue's words. */
async function isTelling({ lines, symbols, shown }: ChosenFile, { issue }: LineChoiceInput): Promise<boolean> {
  const bodies = symbols.filter(({ kind, start, end }) => CALLABLE.has(kind) && end > start);
  if (
    bodies.length === 0 ||
    bodies.some(({ start, end }) => linesIn({ start: start + 1, end }).some((at) => shown.has(at)))
  )
    return true;
  const { terms, exact } = aboutIssue(issue);
  const scores = await lineScoresInTurns(lines, terms, exact);
  const best = scores.reduce((most, score) => Math.max(most, score), 0);
  const code = [...shown].filter((at) => !IMPORT.test(lines[at - 1] ?? "") && !REMARK.test(lines[at - 1] ?? ""));
  return best > 0 && code.some((at) => (scores[at - 1] ?? 0) >= TELLING * best);
}

/** Takes the chosen places in their order as far as there is room; `missing`: those that are not there. */
async function openChosen(
  written: readonly string[],
  { issue, repositoryView, parser }: LineChoiceInput,
  note: NotesView | null,
): Promise<{ readonly chosen: ReadonlyMap<string, ChosenFile>; readonly missing: readonly string[] }> {
  const paths = new Set(repositoryView.paths());
  const chosen = new Map<string, ChosenFile>();
  const missing: string[] = [];
  const left = { source: BUDGET - TESTS_BUDGET, all: BUDGET };
  const { terms, exact } = aboutIssue(issue);
  for (const one of written) {
    const { path, words } = placeIn(one, paths);
    if (path === undefined) missing.push(one);
    // Examples of notes are shown anyway.
    if (path === undefined || isExample(path, note)) continue;
    const parsed = chosen.get(path) ?? (await parseFile(path, await repositoryView.read(path), parser));
    const file: ChosenFile = { shown: new Set(), cut: new Set(), ...parsed };
    const take = createTaker(file, isTestPath(path), left);
    const { spans, heads } = placesOf(words, file);
    if (spans.length > 0) take(heads);
    else missing.push(one);
    for (const span of spans) {
      if (span.end - span.start < MAX_LENGTH && take(linesIn(span))) continue;
      takeBranches(file.lines, span, {
        scores: await lineScoresInTurns(file.lines, terms, exact),
        take: atMost(MAX_LENGTH, take),
      });
      for (const at of linesIn(span)) file.cut.add(at);
    }
    if (file.shown.size > 0) chosen.set(path, file);
  }
  return { chosen, missing };
}

/** Adds lines to what is shown, all or none, and says whether there was room. */
type Take = (numbers: readonly number[]) => boolean;

/** `left`: the characters left for sources, and for everything; what is taken comes off. */
function createTaker({ lines, shown }: ChosenFile, isTest: boolean, left: { source: number; all: number }): Take {
  return (numbers) => {
    const fresh = numbers.filter((at) => !shown.has(at));
    const cost = fresh.reduce((sum, at) => sum + (lines[at - 1]?.length ?? 0) + NUMBER, 0);
    if (cost > (isTest ? left.all : Math.min(left.source, left.all))) return false;
    if (!isTest) left.source -= cost;
    left.all -= cost;
    for (const at of fresh) shown.add(at);
    return true;
  };
}

function atMost(most: number, take: Take): Take {
  let left = most;
  return (numbers) => {
    const isTaken = numbers.length <= left && take(numbers);
    if (isTaken) left -= numbers.length;
    return isTaken;
  };
}

/** Chosen places that are named when they are not found. */
const MAX_MISSING = 6;

/** A line's number and its end. */
const NUMBER = 6;

interface ChosenFile extends ParsedFile {
  /** numbers of lines */
  readonly shown: Set<number>;
  /** lines that were chosen, and not all of them shown */
  readonly cut: Set<number>;
}

/** Splits `src/a.ts:1-9`, `src/a.ts:name` or `src/a.ts` into path and the rest. */
function placeIn(written: string, paths: ReadonlySet<string>): { readonly path?: string; readonly words: string } {
  const text = written.replaceAll("`", "").trim();
  for (let at = text.indexOf(":"); at >= 0; at = text.indexOf(":", at + 1))
    if (paths.has(text.slice(0, at))) return { path: text.slice(0, at), words: text.slice(at + 1).trim() };
  return paths.has(text) ? { path: text, words: "" } : { words: text };
}

const RANGE = /^(\d{1,7})(?:\s*[-–]\s*(\d{1,7}))?$/;

/** The lines of a range or declaration, of functions that are mostly in it, and of the heads around. */
function placesOf(words: string, { lines, symbols }: ParsedFile): { readonly spans: Span[]; readonly heads: number[] } {
  const [range, first = 0, last = first] = RANGE.exec(words) ?? [];
  const chosen =
    range === undefined
      ? namedDeclarations({ lines, symbols, names: [words] })
      : [withComment({ start: Number(first) - AROUND, end: Number(last) + AROUND }, lines)];
  const isOf = (one: Span, { start, end }: Span) => {
    const shared = Math.min(one.end, end) - Math.max(one.start, start) + 1;
    return one.end - one.start < MAX_WHOLE_LENGTH && shared * 2 > one.end - one.start + 1;
  };
  const whole = symbols.filter((one) => CALLABLE.has(one.kind) && chosen.some((span) => isOf(one, span)));
  const heads = chosen.flatMap(({ start }) =>
    symbols
      .filter((one) => (CALLABLE.has(one.kind) || holdsDeclarations(one.kind)) && one.start < start && start <= one.end)
      .map((one) => one.start),
  );
  const spans = [...chosen, ...whole]
    .map(({ start, end }) => ({ start: Math.max(1, start), end: Math.min(lines.length, end) }))
    .filter(({ start, end }) => start <= end);
  return { spans, heads };
}

/** Shows the chosen lines, after the imports if the file may get further ones. */
function viewOf(path: string, file: ChosenFile, mayImport: boolean): PlanningView["files"][number] {
  const { text, whole } = excerptOf(file, mayImport);
  return { path, content: text, size: file.lines.length, whole };
}

/** Fills gaps of a line or two. */
function excerptOf({ lines, symbols, shown, cut }: ChosenFile, mayImport: boolean): { text: string; whole: boolean } {
  const head = mayImport ? linesIn(beginningOf({ lines, symbols })) : [];
  const imports = head.slice(
    Math.max(
      0,
      head.findIndex((at) => IMPORT.test(lines[at - 1] ?? "")),
    ),
  );
  const beginning = [...imports.slice(0, FIRST_IMPORTS), ...imports.slice(-LAST_IMPORTS)];
  const inOrder = [...new Set([...beginning, ...shown])].sort((a, b) => a - b);
  const filled = inOrder.flatMap((at, index) => {
    const last = inOrder[index - 1] ?? 0;
    return at - last <= SMALL_GAP ? linesIn({ start: last + 1, end: at }) : [at];
  });
  const wanted = filled.map((at) => ({ start: at, end: at }));
  const budget = Number.POSITIVE_INFINITY;
  const { text } = focusedExcerpt(lines, { wanted, scores: [], onlyWanted: true, cut, budget });
  return { text, whole: filled.length >= lines.length };
}

const SMALL_GAP = 3;

/** Chosen tests with their lines, then the others by path alone. */
function testsOf(chosen: ReadonlyMap<string, ChosenFile>, { tests }: PlanningView): PlanningView["tests"] {
  const shown = [...chosen].filter(([path]) => isTestPath(path));
  const seen = shown.map(([path, file]) => {
    return { path, names: `${file.lines.length} lines`, sample: excerptOf(file, true).text };
  });
  return [
    ...seen,
    ...tests.filter(({ path }) => !chosen.has(path)).map(({ path }) => ({ path, names: "", sample: "" })),
  ];
}
