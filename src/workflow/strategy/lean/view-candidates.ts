import { firstCodeLine } from "../../../edits/numbered.ts";
import { readText } from "../../../edits/text-file.ts";
import { divideRoom } from "../../../llm/toolset.ts";
import type { IssueSnapshot } from "../../../model/discussion.ts";
import type { Candidate } from "../../../model/plan.ts";
import { holdsDeclarations, type SourceParser, type SourceSymbol } from "../../../ports/source-parser.ts";
import { classifyFile, isTestPath } from "../../../search/classify-file.ts";
import { codeWords, lineScores } from "../../../search/terms.ts";
import { issueTerms } from "../../../search/token-cache.ts";
import type { PlanningView } from "./agents.ts";
import { hitsOf } from "./locate.ts";
import type { RepositoryView } from "./repository-view.ts";
import { viewFile } from "./view-for-task.ts";
import { viewChangelog, viewTests } from "./view-tests.ts";

/** Characters of all files together, about a quarter as many tokens: the Manager can look up more. */
const BUDGET = 18_000;

/** However many files may have to change. */
const MAX_BUDGET = 40_000;

/** A file of so many lines that may have to change is shown whole, if they are no longer than lines of code are. */
const WHOLE_LINES = 250;

const MAX_WHOLE = 12_000;

/** Of one or two such files more is shown: a look-up costs another turn. */
const FEW = 2;

const WHOLE_LINES_OF_FEW = 400;

const MAX_WHOLE_OF_FEW = 15_000;

/** Characters of one file: of a longer one that may have to change, of one that is only to be known, of a document. */
const MAX_OF_ONE = 8_000;

const MAX_OF_ONE_OF_FEW = 12_000;

const MAX_TO_READ = 2_400;

const MAX_OF_DOCUMENT = 1_500;

/** What each file that may have to change gets in any case. */
const LEAST_TO_CHANGE = 2_500;

/** The part of the budget that is for files that may have to change. */
const CHANGE_SHARE = 0.8;

/** Less of a file tells nothing. */
const LEAST = 600;

/** Lines of a class that the Custodian names, and of the head of a longer one; functions are shown whole. */
const MAX_CHOSEN_LENGTH = 90;

const HEAD_OF_LONG = 24;

/** The beginning of a file has its imports. */
const HEAD = 10;

/** Lines of a declaration that is shown because the issue names it. */
const MAX_NAMED_LENGTH = 60;

/** Lines of a function that is shown because shown code calls it. */
const MAX_HELPER_LENGTH = 20;

const IDENTIFIER = /[\p{L}_$][\p{L}\p{N}_$]{3,}/gu;

const CALL = /([\p{L}_$][\p{L}\p{N}_$]{2,})\s*\(/gu;

interface ViewInput {
  readonly issue: IssueSnapshot;
  readonly candidates: readonly Candidate[];
  readonly repositoryView: RepositoryView;
  readonly parser: SourceParser;
}

/**
 * What the Manager is shown of the candidates: those that may have to change first, each with its share of the room, short
 * ones whole, long ones by the declarations that the Custodian has named and the lines that it was shown; then what they
 * call in those that are only to be known. Tests come by names: what stands in them is for the Developer who extends them.
 */
export async function viewCandidates({ issue, candidates, repositoryView, parser }: ViewInput): Promise<PlanningView> {
  const hints = [issue.hint, ...issue.discussion.map(({ body }) => body)];
  const terms = issueTerms({ title: issue.title, body: issue.body, hints });
  const text = [issue.title, issue.body, ...hints].join("\n");
  const [said, exact] = [new Set(text.match(IDENTIFIER) ?? []), codeWords(text)];
  const changelog = await viewChangelog(repositoryView);
  const { change, read } = byUse(candidates.filter(({ path }) => path !== changelog?.path));
  const opened = await Promise.all(change.map(async (one) => open(one, await repositoryView.read(one.path))));
  const called = new Set<string>();
  const view = async (file: Opened, budget: number, onlyToKnow = false) => {
    const scores = lineScores(file.lines, terms, exact);
    const { named, found, helpers, beginning } = await declarationsOf(file, { called, said, exact, scores }, parser);
    // Of what is only to be known, the rest was hardly ever taken up.
    const onlyWanted = onlyToKnow && named.length + helpers.length > 0;
    const wanted = onlyWanted ? [...named, ...helpers] : [...named, ...found, ...helpers, ...beginning];
    const shown = await viewFile(file.path, file.content, { parser, terms, exact, wanted, onlyWanted, budget });
    for (const [, name = ""] of shown.content.matchAll(CALL)) called.add(name);
    return { path: file.path, ...shown };
  };
  const files: PlanningView["files"][number][] = [];
  for (const [at, budget] of sharesOf(opened).entries()) files.push(await view(opened[at] as Opened, budget));
  let room = Math.max(BUDGET * (1 - CHANGE_SHARE), BUDGET - sizeOf(files));
  const others: PlanningView["others"][number][] = [];
  for (const candidate of read) {
    if (room < LEAST || isDocument(candidate.path)) {
      others.push({ path: candidate.path, summary: candidate.summary || candidate.reasons.join("; ") });
      continue;
    }
    const file = open(candidate, await repositoryView.read(candidate.path));
    const shown = await view(file, Math.min(room, MAX_TO_READ), true);
    room -= shown.content.length;
    files.push(shown);
  }
  return { files, others, tests: await viewTests(candidates, { terms, exact, repositoryView, parser }), changelog };
}

const sizeOf = (files: PlanningView["files"]) => files.reduce((sum, { content }) => sum + content.length, 0);

/** A candidate with its content. */
interface Opened {
  readonly path: string;
  readonly names: readonly string[];
  readonly content: Uint8Array | undefined;
  readonly lines: readonly string[];
}

function open({ path, names = [] }: Candidate, content: Uint8Array | undefined): Opened {
  return { path, names, content, lines: (content && readText(content)?.lines) ?? [] };
}

/** What each file that may have to change gets: short ones all that they are, the others the same of the rest. */
function sharesOf(files: readonly Opened[]): readonly number[] {
  const areFew = files.filter(({ path }) => !isDocument(path)).length <= FEW;
  const wholeLines = areFew ? WHOLE_LINES_OF_FEW : WHOLE_LINES;
  const maxWhole = areFew ? MAX_WHOLE_OF_FEW : MAX_WHOLE;
  const maxOfOne = areFew ? MAX_OF_ONE_OF_FEW : MAX_OF_ONE;
  const needs = files.map(({ path, lines }) => {
    const whole = lines.reduce((sum, line) => sum + line.length + NUMBER, 0);
    const isShort = lines.length <= wholeLines && whole <= maxWhole && !isDocument(path);
    return { isShort, need: isShort ? whole : Math.min(whole, isDocument(path) ? MAX_OF_DOCUMENT : maxOfOne) };
  });
  const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
  const short = sum(needs.map(({ isShort, need }) => (isShort ? need : 0)));
  const long = needs.filter(({ isShort }) => !isShort).map(({ need }) => need);
  const least = Math.min(LEAST_TO_CHANGE, Math.floor(MAX_BUDGET / Math.max(1, files.length)));
  if (short + long.length * least > MAX_BUDGET)
    return divideRoom(
      needs.map(({ need }) => need),
      MAX_BUDGET,
      least,
    );
  const room = BUDGET * CHANGE_SHARE - short;
  const shares = [...divideRoom(long, areFew ? Math.max(room, MAX_OF_ONE_OF_FEW) : room, least)];
  return needs.map(({ isShort, need }) => (isShort ? need : (shares.shift() ?? need)));
}

/** What stands before a line, and its end. */
const NUMBER = 8;

/** The likeliest first: named by the Custodian from the map, then as they were ranked; documents after code. */
function byUse(candidates: readonly Candidate[]) {
  const rank = ({ path, score }: Candidate) => (isDocument(path) ? 2 : score === 0 ? 0 : 1);
  const source = candidates.filter(({ path }) => !isTestPath(path)).sort((a, b) => rank(a) - rank(b));
  return { change: source.filter(({ use }) => use !== "read"), read: source.filter(({ use }) => use === "read") };
}

/** What is shown of a long file: what the Custodian has named, what was found or is spoken of, what shown code calls, imports. */
async function declarationsOf(
  { path, names, lines }: Opened,
  about: {
    readonly called: ReadonlySet<string>;
    readonly said: ReadonlySet<string>;
    readonly exact: ReadonlySet<string>;
    readonly scores: readonly number[];
  },
  parser: SourceParser,
) {
  const symbols = (await parser.symbols(path, lines.join(""))) ?? [];
  const head = firstCodeLine(lines);
  const isHelper = ({ name, start, end }: SourceSymbol) =>
    about.called.has(name) && end > start && end - start < MAX_HELPER_LENGTH;
  const chosen = names.flatMap((written) => namedBy(written, symbols));
  const spoken = symbols
    .filter(({ name, start, end }) => about.said.has(name) && end - start < MAX_NAMED_LENGTH)
    // A word of a sentence is often the name of some small thing, too.
    .filter(({ name, kind, stub }) => !stub && (!SMALL.has(kind) || about.exact.has(name)));
  const found = withFunctions(hitsOf(lines, about.scores), symbols);
  // The beginning of a document is its title and its badges.
  const beginning = isDocument(path) && found.length > 0 ? [] : [{ start: head, end: head + HEAD }];
  return { named: chosen, found: [...found, ...spoken], helpers: symbols.filter(isHelper), beginning };
}

const SMALL: ReadonlySet<string> = new Set(["constant", "field", "variable", "property", "type"]);

/** Lines around one that was found where no function is around it, or a very long one. */
const AROUND = 8;

const MAX_FOUND_LENGTH = 90;

/** Lines of a function in which several were found: parts from its middle say less than they seem to. */
const MAX_OFTEN_FOUND_LENGTH = 220;

/** Each function in which lines were found, or what is around those, in their order. */
function withFunctions(hits: readonly number[], symbols: readonly SourceSymbol[]) {
  const functionAt = (at: number) =>
    symbols
      .filter(({ start, end, kind }) => start <= at && at <= end && end > start && !holdsDeclarations(kind))
      .sort((a, b) => a.end - a.start - (b.end - b.start))[0];
  const inner = hits.map(functionAt);
  return hits.map((at, index) => {
    const own = inner[index];
    const length = own ? own.end - own.start : Number.POSITIVE_INFINITY;
    const often = inner.filter((other) => other === own).length > 1;
    const fits = own && length < (often ? MAX_OFTEN_FOUND_LENGTH : MAX_FOUND_LENGTH);
    return fits ? own : { start: at - AROUND, end: at + AROUND };
  });
}

/** The declaration that is meant by a name as a model writes it: `Class.method`, `mod::name`, `name()`. */
function namedBy(written: string, symbols: readonly SourceSymbol[]) {
  const parts = written
    .replace(/\(.*$/s, "")
    .split(/\.|::|#/)
    .filter((part) => part.trim() !== "prototype");
  const [owner, name] = [parts.at(-2)?.trim(), parts.at(-1)?.trim()];
  const named = symbols.filter((symbol) => symbol.name === name);
  const owned = named.filter(({ parent }) => parent === owner);
  const fitting = owned.length > 0 ? owned : named;
  const [best] = [...fitting.filter(({ stub }) => !stub), ...fitting];
  if (!best) return [];
  const { start, end, kind } = best;
  // Of a long class its head; its methods are named themselves.
  const long = holdsDeclarations(kind) && end - start >= MAX_CHOSEN_LENGTH;
  return [{ start, end: long ? start + HEAD_OF_LONG : end }];
}

const isDocument = (path: string) => classifyFile({ path, mode: "100644", size: 1 }).group === "documentation";
