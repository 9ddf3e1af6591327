import { linesIn, numbersIn, type Span } from "../../../../edits/numbered.ts";
import { divideRoom } from "../../../../llm/toolset.ts";
import type { IssueSnapshot } from "../../../../model/discussion.ts";
import type { Candidate } from "../../../../model/plan.ts";
import type { Repository } from "../../../../ports/repository.ts";
import { CALLABLE, type SourceParser } from "../../../../ports/source-parser.ts";
import { groupOf, isTestPath } from "../../../../search/classify-file.ts";
import { isChangelog } from "../../../../search/past-notes.ts";
import { lineScoresInTurns } from "../../../../search/terms.ts";
import { type AboutIssue, aboutIssue } from "./about-issue.ts";
import { beginningOf, foundDeclarations, type NamedFile, namedDeclarations, nearestParts } from "./declarations.ts";
import { viewFile } from "./excerpts.ts";
import { callsIn, helpersIn, neighboursOf } from "./neighbours.ts";
import { isExample, type NotesView, viewNotes } from "./notes.ts";
import { parseFile } from "./parsed-file.ts";
import { type DeclaredIn, findUses, type SeenLines } from "./related-code.ts";
import type { RepositoryView } from "./repository-view.ts";
import { viewTests } from "./tests.ts";
import { MANAGER_BUDGETS, type TokenBudgets } from "./token-budgets.ts";

/** What the Manager sees of the repository when it plans the whole work in one go. */
export interface PlanningView {
  /** `content` is numbered; `size` in lines; of a file that is not `whole`, parts */
  readonly files: readonly { path: string; content: string; size: number; whole: boolean }[];
  readonly others: readonly { path: string; summary: string }[];
  /** tests that seem to belong to them, with names that they declare */
  readonly tests: readonly { path: string; names: string; sample: string }[];
  /** the notes for users that changes to the code come with; null where they are not usual */
  readonly note: NotesView | null;
  /** lines elsewhere that use the functions that may have to change; "" when there are none */
  readonly uses: string;
}

/** Declarations with the lines nearest to the issue; they come before the neighbours of named ones. */
const FIRST_FOUND = 2;

const MAX_OF_DOCUMENT = 1_200;

/** Every file that may have to change gets at least this many characters. */
const LEAST_TO_CHANGE = 2_500;

/** With fewer characters left, no further file is opened. */
const LEAST = 600;

interface ViewInput {
  readonly issue: IssueSnapshot;
  readonly candidates: readonly Candidate[];
  readonly repository: Pick<Repository, "history" | "landed">;
  readonly repositoryView: RepositoryView;
  readonly parser: SourceParser;
  readonly budgets?: TokenBudgets;
}

/**
 * Chooses what to show of the candidates by names and words alone. Files that may have to change come first: short ones
 * whole, long ones by the declarations that the Custodian names, with their callers and callees, and by the lines
 * nearest to the issue. Context files: show the named and called parts only. Then the likeliest tests, and the newest
 * notes for users if changes usually come with one.
 */
export async function viewCandidates(input: ViewInput): Promise<PlanningView> {
  const { issue, candidates, repository, repositoryView, parser, budgets = MANAGER_BUDGETS } = input;
  const about: About = { ...aboutIssue(issue), parser };
  const history = await repository.history();
  const note = await viewNotes(await repository.landed(), repositoryView);
  const { change, read } = byUse(candidates.filter(({ path }) => !isChangelog(path) && !isExample(path, note)));
  const openAll = (files: readonly Candidate[]) => Promise.all(files.map((one) => open(one, repositoryView, about)));
  const opened = await openAll(change);
  const shares = sharesOf(opened, budgets.toChange);
  const files: PlanningView["files"][number][] = [];
  for (const [at, file] of opened.entries()) files.push(await viewToChange(file, shares[at] ?? 0, about));
  const called = callsIn(files.map(({ content }) => content).join("\n"));
  const others = candidates.filter(({ path }) => isChangelog(path) && !isExample(path, note)).map(nameOf);
  let left = budgets.context.all;
  for (const candidate of read) {
    if (left < LEAST || isDocument(candidate.path)) {
      others.push(nameOf(candidate));
      continue;
    }
    const file = await open(candidate, repositoryView, about);
    const shown = await viewToRead(file, { budget: Math.min(left, budgets.context.one), called }, about);
    left -= shown?.content.length ?? 0;
    if (shown) files.push(shown);
    else others.push(nameOf(candidate));
  }
  const tests = await viewTests(candidates, {
    ...about,
    issue: about.text,
    history,
    repositoryView,
    budgets: budgets.tests,
  });
  const uses = await findUses(functionsNamed(opened), {
    repositoryView,
    parser,
    seen: seenIn(files),
    most: budgets.uses,
    wanted: (path) => !isTestPath(path) && !isDocument(path),
  });
  return { files, others, tests, note, uses };
}

/** The functions that the Custodian names in files that may have to change. */
const functionsNamed = (files: readonly Opened[]): readonly DeclaredIn[] =>
  files.flatMap(({ path, symbols, named }) =>
    symbols
      .filter(
        ({ kind, start, end }) => CALLABLE.has(kind) && named.some((one) => one.start <= start && one.end === end),
      )
      .map(({ name }) => ({ name, path })),
  );

const seenIn = (files: PlanningView["files"]): SeenLines =>
  new Map(files.map(({ path, content }) => [path, new Set(numbersIn(content))]));

/** What decides which lines are shown. */
interface About extends AboutIssue {
  readonly parser: SourceParser;
}

/** A candidate with its content, and what the Custodian has named of it. */
interface Opened extends NamedFile {
  readonly path: string;
  readonly content: Uint8Array | undefined;
  readonly named: readonly Span[];
}

async function open(
  { path, names = [] }: Candidate,
  repositoryView: RepositoryView,
  { parser }: About,
): Promise<Opened> {
  const content = await repositoryView.read(path);
  const file = { ...(await parseFile(path, content, parser)), names };
  return { ...file, path, content, named: namedDeclarations(file) };
}

async function viewToChange(file: Opened, budget: number, about: About): Promise<PlanningView["files"][number]> {
  const { path, lines, content, named } = file;
  const scores = await lineScoresInTurns(lines, about.terms, about.exact);
  const found = foundDeclarations(file, { ...about, scores });
  // A document begins with its title and badges.
  const beginning = isDocument(path) && found.length > 0 ? [] : [beginningOf(file)];
  const wanted =
    named.length > 0
      ? [...named, ...beginning, ...found.slice(0, FIRST_FOUND), ...neighboursOf(file, named, scores), ...found]
      : [...found.slice(0, 1), ...beginning, ...found.slice(1)];
  // In a function too long to show whole, the lines that use the other names matter most.
  const exact = new Set([...about.exact, ...file.names.map((name) => name.split(/\.|::|#/).at(-1) ?? name)]);
  return { path, ...(await viewFile(path, content, { ...about, exact, wanted, budget })) };
}

/** Names a candidate without showing it. */
const nameOf = ({ path, summary, reasons }: Candidate) => ({ path, summary: summary || reasons.join("; ") });

/** Context files: show the named and called parts only, the rest was rarely used. Undefined if there are none. */
async function viewToRead(
  file: Opened,
  { budget, called }: { readonly budget: number; readonly called: ReadonlySet<string> },
  about: About,
): Promise<PlanningView["files"][number] | undefined> {
  const { path, lines, content } = file;
  if (costOf(lines, [{ start: 1, end: lines.length }]) <= budget)
    return { path, ...(await viewFile(path, content, { ...about, budget })) };
  const scores = await lineScoresInTurns(lines, about.terms, about.exact);
  const named = [...file.named, ...helpersIn(file, called)];
  const wanted = nearestParts(named.length > 0 ? named : foundDeclarations(file, { ...about, scores }), scores);
  if (wanted.length === 0) return undefined;
  return { path, ...(await viewFile(path, content, { ...about, wanted, onlyWanted: true, budget })) };
}

/** Divides the budget among the files that may have to change: short ones are shown whole, long ones share the rest. */
function sharesOf(files: readonly Opened[], budgets: TokenBudgets["toChange"]): readonly number[] {
  const needs = files.map(({ path, lines, named }) => {
    const whole = costOf(lines, [{ start: 1, end: lines.length }]);
    if (isDocument(path)) return { isWhole: false, need: Math.min(whole, MAX_OF_DOCUMENT) };
    if (whole <= budgets.whole) return { isWhole: true, need: whole };
    const parts = named.length > 0 ? costOf(lines, named) + budgets.besideNamed : budgets.unnamed;
    return { isWhole: false, need: Math.min(whole, budgets.one, parts) };
  });
  const wanted = needs.map(({ need }) => need);
  const long = needs.filter(({ isWhole }) => !isWhole).map(({ need }) => need);
  const short = wanted.reduce((sum, need) => sum + need, 0) - long.reduce((sum, need) => sum + need, 0);
  const least = Math.min(LEAST_TO_CHANGE, Math.floor(budgets.all / Math.max(1, files.length)));
  if (short + long.length * least > budgets.all) return divideRoom(wanted, budgets.all, least);
  const further = files.filter(({ path }) => !isDocument(path)).length - 1;
  const all = Math.min(budgets.all, budgets.first + Math.max(0, further) * budgets.further);
  const shares = [...divideRoom(long, all - short, least)];
  return needs.map(({ isWhole, need }) => (isWhole ? need : (shares.shift() ?? need)));
}

/** A line's number and its end. */
const NUMBER = 8;

function costOf(lines: readonly string[], spans: readonly Span[]): number {
  const numbers = new Set(spans.flatMap(linesIn).filter((at) => at <= lines.length));
  return [...numbers].reduce((sum, at) => sum + (lines[at - 1]?.length ?? 0) + NUMBER, 0);
}

/** Puts the likeliest first: files named from the map, then by rank; documents last. */
function byUse(candidates: readonly Candidate[]) {
  const rank = ({ path, score }: Candidate) => {
    if (isDocument(path)) return 2;
    return score === 0 ? 0 : 1;
  };
  const source = candidates.filter(({ path }) => !isTestPath(path)).sort((a, b) => rank(a) - rank(b));
  return { change: source.filter(({ use }) => use !== "read"), read: source.filter(({ use }) => use === "read") };
}

export const isDocument = (path: string): boolean => groupOf(path) === "documentation";
