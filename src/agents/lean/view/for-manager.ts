import { linesIn, numbersIn, type Span } from "../../../code/edits/numbered.ts";
import { IMPORT } from "../../../code/edits/text-file.ts";
import { CALLABLE } from "../../../code/source-parser.ts";
import { isAnswerError } from "../../../data/error.ts";
import type { NotesView, PlanningView } from "../../../data/plan.ts";
import type { Toolset } from "../../../models/toolset.ts";
import type { PlanInput } from "../../../run/strategy.ts";
import { isTestPath } from "../../../search/classify-file.ts";
import { COMMENT } from "../../../search/terms.ts";
import { aboutIssue } from "./about-issue.ts";
import { isDocument, viewCandidates } from "./candidates.ts";
import { commentAbove, namedDeclarations } from "./declarations.ts";
import { type Excerpt, fillBudget, linedFiles, type OpenFile, openFile, seenIn } from "./excerpts.ts";
import { isExample } from "./notes.ts";
import { parseFile } from "./parsed-file.ts";
import { type RepositoryView, whyNot } from "./repository-view.ts";

/** Up to this many characters nobody is asked to choose. */
const FEW = 9_000;

/** Characters of the chosen lines: about as many tokens as one look-up costs, which sends the whole prompt again. */
const ROOM = 16_000;

/** A longer place is shown by its best branches, up to this many lines. */
const MAX_LENGTH = 160;

/** Lines shown around a range: an edit needs to see its neighbours. */
const AROUND = 1;

/** A function that is mostly chosen is shown whole up to this many lines. */
const MAX_WHOLE_LENGTH = 30;

/** Characters for the names of functions that are not shown. */
const NAMES_BUDGET = 1_200;

/** What the Custodian is asked to choose lines from. */
export interface LinesToChooseFrom extends Omit<PlanningView, "files" | "note"> {
  /** `declared`: functions in it that are not shown, with their lines; "" for none */
  files: readonly (PlanningView["files"][number] & { declared: string })[];
  /** characters that it may choose */
  budget: number;
}

/** Says in a sentence why a path cannot be shown; undefined if it can. Said once: what is named again is left out. */
export type FaultOf = (path: string) => string | undefined;

/**
 * Asks the Custodian for places, such as `src/a.ts:1-9` or `src/a.ts:name`; `faultOf` says why one cannot be shown, and
 * `toolset` looks up what is not in view.
 */
type ChooseLines = (
  shown: LinesToChooseFrom,
  more: { faultOf: FaultOf; toolset: Toolset | undefined },
) => Promise<{ lines: readonly string[] }>;

/** How often the Custodian may look beyond the view, and for how many characters: a fortieth of the Manager's price. */
const TURNS = 2;

const LOOKUPS = 40_000;

type LineChoiceInput = PlanInput & { repositoryView: RepositoryView };

/**
 * Shows the Manager the candidates: all of a short view, else the lines that the Custodian chooses from it. The whole
 * view, if the Custodian gives no usable answer, or picks no code that may have to change.
 */
export async function viewForManager(input: LineChoiceInput, choose: ChooseLines): Promise<PlanningView> {
  const wide = await viewCandidates(input);
  if (isShort(wide) || input.settings.ablate.includes("lines")) return wide;
  const files = await Promise.all(
    wide.files.map(async (file) => ({ ...file, declared: await namesUnshown(file, input) })),
  );
  const { others, tests } = wide;
  try {
    const toolset = input.repositoryView.toolset(TURNS, { room: LOOKUPS, seen: seenIn(linedFiles(wide)) });
    const faultOf = faultOfPlace(input.repositoryView);
    const { lines } = await choose({ files, others, tests, budget: ROOM }, { faultOf, toolset });
    return (await viewChosen(lines, wide, input)) ?? wide;
  } catch (error) {
    if (!isAnswerError(error)) throw error;
    return wide;
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

/** Whether few characters show everything that was found, tests included and documents left out. */
function isShort({ files, others, tests }: PlanningView): boolean {
  const text = [...files.map(({ content }) => content), ...tests.map(({ sample }) => sample)].join("");
  const all = files.every(({ whole }) => whole) && others.every(({ path }) => isDocument(path));
  return text.length <= FEW && all && tests.every(({ sample }) => sample !== "" && !sample.includes("⋮"));
}

/** Names the functions of a file that its parts do not show, with their lines. */
async function namesUnshown(
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

/** Undefined if no code is chosen that may have to change. */
async function viewChosen(
  written: readonly string[],
  wide: PlanningView,
  input: LineChoiceInput,
): Promise<PlanningView | undefined> {
  const { candidates } = input;
  const { excerpts, files, missing } = await openChosen(written, input, wide.note);
  const shown = fillBudget(excerpts, files, { budget: ROOM });
  const mayChange = (path: string) => !candidates.some((one) => one.path === path && one.use === "read");
  const isUsable = files.some((file) => !isTestPath(file.path) && mayChange(file.path) && holdsCode(file, excerpts));
  if (!isUsable) return undefined;
  const isLeftOut = ({ path }: { path: string }) => !shown.some((one) => one.path === path);
  const tests = shown.filter(({ path }) => isTestPath(path));
  return {
    files: shown.filter(({ path }) => !isTestPath(path)),
    others: [
      // The Custodian saw these and chose nothing of them.
      ...[...wide.files, ...wide.others].filter(isLeftOut).map(({ path }) => ({ path, summary: "" })),
      ...missing.slice(0, MAX_MISSING).map((path) => ({ path, summary: "chosen, and no such place was found" })),
    ],
    tests: [
      ...tests.map(({ path, size, content }) => ({ path, names: `${size} lines`, sample: content })),
      ...wide.tests.filter(isLeftOut).map(({ path }) => ({ path, names: "", sample: "" })),
    ],
    note: wide.note,
  };
}

/** Whether a chosen line of a file is code: no import, no comment. */
function holdsCode({ path, lines, folded }: OpenFile, excerpts: readonly Excerpt[]): boolean {
  const isCode = (line: string) => /\w/.test(line) && !IMPORT.test(line) && !COMMENT.test(line);
  const chosen = excerpts.filter((one) => one.path === path).flatMap((one) => one.lines);
  return chosen.some((at) => !folded.has(at) && isCode(lines[at - 1] ?? ""));
}

/** Chosen places that are named when they are not found. */
const MAX_MISSING = 6;

/** The chosen places as excerpts, the first of most worth, tests before what is less important; `missing`: those not found. */
async function openChosen(
  written: readonly string[],
  { issue, repositoryView, parser }: LineChoiceInput,
  note: NotesView | null,
) {
  const paths = new Set(repositoryView.paths());
  const files = new Map<string, OpenFile>();
  const excerpts: Excerpt[] = [];
  const missing: string[] = [];
  const about = aboutIssue(issue);
  for (const [at, one] of written.entries()) {
    const { path, words } = placeIn(one, paths);
    if (path === undefined) {
      missing.push(one);
      continue;
    }
    // Examples of notes are shown anyway.
    if (isExample(path, note)) continue;
    const file = files.get(path) ?? (await openFile(path, await repositoryView.read(path), { parser, ...about }));
    const places = placesOf(words, file);
    if (places.length > 0) files.set(path, file);
    else missing.push(one);
    // Tests are named last, and a change needs one.
    const worth = isTestPath(path) ? -at / 2 : -at;
    excerpts.push(...places.map((lines) => ({ path, why: "chosen", worth, lines, cutTo: MAX_LENGTH })));
  }
  return { excerpts, files: [...files.values()], missing };
}

/** Splits `src/a.ts:1-9`, `src/a.ts:name` or `src/a.ts` into path and the rest. */
function placeIn(written: string, paths: ReadonlySet<string>): { path?: string; words: string } {
  const text = written.replaceAll("`", "").trim();
  for (let at = text.indexOf(":"); at >= 0; at = text.indexOf(":", at + 1))
    if (paths.has(text.slice(0, at))) return { path: text.slice(0, at), words: text.slice(at + 1).trim() };
  return paths.has(text) ? { path: text, words: "" } : { words: text };
}

const RANGE = /^(\d{1,7})(?:\s*[-–]\s*(\d{1,7}))?$/;

/**
 * The lines of a declaration; or of a range with the comment above it, unless it begins in one, and of short functions
 * that are mostly in it.
 */
function placesOf(words: string, file: OpenFile): readonly (readonly number[])[] {
  const { lines, symbols } = file;
  const [range, first = 0, last = first] = RANGE.exec(words) ?? [];
  if (range === undefined) return namedDeclarations(file, [words]);
  const start = Math.max(1, Number(first) - AROUND);
  const isInComment = COMMENT.test(lines[Number(first) - 1] ?? "");
  const span = {
    start: isInComment ? start : commentAbove(lines, Math.min(start, lines.length)),
    end: Math.min(lines.length, Number(last) + AROUND),
  };
  if (start > span.end || Number(last) < Number(first)) return [];
  const isMostlyIn = (one: Span) => {
    const shared = Math.min(one.end, span.end) - Math.max(one.start, span.start) + 1;
    return one.end - one.start < MAX_WHOLE_LENGTH && shared * 2 > one.end - one.start + 1;
  };
  const whole = symbols.filter((one) => CALLABLE.has(one.kind) && isMostlyIn(one));
  const end = Math.max(span.end, ...whole.map((one) => one.end));
  return [linesIn({ start: Math.min(span.start, ...whole.map((one) => one.start)), end })];
}
