import { linesIn, showFile } from "../../../code/edits/numbered.ts";
import type { SourceParser } from "../../../code/source-parser.ts";
import type { IssueSnapshot } from "../../../data/discussion.ts";
import type { Candidate, PlanningView } from "../../../data/plan.ts";
import type { Repository } from "../../../git/repository.ts";
import { groupOf, isTestPath } from "../../../search/classify-file.ts";
import { isChangelog } from "../../../search/past-notes.ts";
import { type AboutIssue, aboutIssue } from "./about-issue.ts";
import { foundDeclarations, namedDeclarations } from "./declarations.ts";
import { type Excerpt, excerptOf, fillBudget, type OpenFile, openFile, wholeCost } from "./excerpts.ts";
import { isExample, viewNotes } from "./notes.ts";
import type { RepositoryView } from "./repository-view.ts";
import { collectTests } from "./tests.ts";

/** Characters of the view. A file that may have to change is shown whole up to half of them. */
const BUDGET = 32_000;

/** Worth of what is shown; less for each file that ranks lower. */
const WORTH = { named: 100, nearest: 80, whole: 60, read: 50, document: 20 };

/** Lines of a part in a file that is only read, or in a document; and parts of a document. */
const MAX_READ = 30;

const OF_DOCUMENT = 2;

const ALL = Number.MAX_SAFE_INTEGER;

interface ViewInput {
  issue: IssueSnapshot;
  candidates: readonly Candidate[];
  repository: Pick<Repository, "history" | "landed">;
  repositoryView: RepositoryView;
  parser: SourceParser;
}

/**
 * Chooses what to show of the candidates by names and words alone, in one budget: what the Custodian names in files that
 * may have to change, then what is nearest to the issue, short files whole, likely tests, what is named in files to
 * read. With the newest notes for users if changes usually come with one.
 */
export async function viewCandidates(input: ViewInput): Promise<PlanningView> {
  const { issue, candidates, repository, repositoryView, parser } = input;
  const about = aboutIssue(issue);
  const history = await repository.history();
  const note = await viewNotes(await repository.landed(), repositoryView);
  const { change, read } = byUse(candidates.filter(({ path }) => !isChangelog(path) && !isExample(path, note)));
  const open = ({ path, names = [] }: Candidate) => openNamed(path, names, { about, parser, repositoryView });
  const opened = { change: await Promise.all(change.map(open)), read: await Promise.all(read.map(open)) };
  const tests = await collectTests(candidates, { about, parser, history, repositoryView });
  const excerpts = [
    ...opened.change.flatMap((file, rank) => partsToChange(file, rank)),
    ...opened.read.flatMap((file, rank) => partsToRead(file, rank)),
    ...tests.flatMap((test) => test.excerpts),
  ];
  const sources = [...opened.change, ...opened.read];
  const shown = fillBudget(excerpts, [...sources, ...tests.map(({ file }) => file)], { budget: BUDGET });
  const of = new Map(shown.map((file) => [file.path, file]));
  const files = sources.flatMap(({ path, isEmpty }) => {
    return of.get(path) ?? (isEmpty ? [{ ...showFile(path, new Uint8Array()), size: 0, whole: true }] : []);
  });
  const isShown = (path: string) => files.some((file) => file.path === path);
  const named = candidates.filter(({ path }) => !isTestPath(path) && !isShown(path) && !isExample(path, note));
  return {
    files,
    others: named.map(({ path, summary, reasons }) => ({ path, summary: summary || reasons.join("; ") })),
    tests: tests.map(({ path, names }) => ({ path, names, sample: of.get(path)?.content ?? "" })),
    note,
  };
}

/** A candidate, and the lines of what the Custodian names in it. */
interface NamedFile extends OpenFile {
  named: readonly (readonly number[])[];
  isEmpty: boolean;
}

async function openNamed(
  path: string,
  names: readonly string[],
  { about, parser, repositoryView }: { about: AboutIssue } & Pick<ViewInput, "parser" | "repositoryView">,
): Promise<NamedFile> {
  const content = await repositoryView.read(path);
  const file = await openFile(path, content, { parser, ...about });
  return { ...file, named: namedDeclarations(file, names), isEmpty: content?.length === 0 };
}

/**
 * What is named, what is nearest to the issue, and a short file whole; of a document a few parts near to the issue.
 * Where nothing is named or near, the beginning: the Manager edits only what it has seen.
 */
function partsToChange(file: NamedFile, rank: number): Excerpt[] {
  const { path, lines, named } = file;
  const part = (worth: number, cutTo = ALL) => ({ path, why: "", worth: worth - rank, cutTo });
  const found = foundDeclarations(file);
  const beginning = { start: 1, end: Math.min(lines.length, MAX_READ) };
  if (isDocument(path)) {
    const near = found.length > 0 ? found.slice(0, OF_DOCUMENT) : [beginning];
    return near.map((one) => excerptOf(one, part(WORTH.document, MAX_READ)));
  }
  const whole = wholeCost(file) <= BUDGET / 2 ? [excerptOf({ start: 1, end: lines.length }, part(WORTH.whole))] : [];
  return [
    ...named.map((numbers) => ({ ...part(WORTH.named), lines: andBehind(numbers) })),
    ...whole,
    ...found.map((one) => excerptOf(one, part(WORTH.nearest * one.nearness))),
    ...(named.length + found.length > 0 ? [] : [excerptOf(beginning, part(0))]),
  ];
}

/** With the two lines behind: what is new often goes there. */
const andBehind = (numbers: readonly number[]): readonly number[] => {
  const last = numbers.at(-1) ?? 0;
  return [...numbers, last + 1, last + 2];
};

/** What is named in a file to read, or all of a short one. */
function partsToRead({ path, lines, named }: NamedFile, rank: number): Excerpt[] {
  const parts = lines.length <= MAX_READ ? [linesIn({ start: 1, end: lines.length })] : named;
  return parts.map((part) => ({ path, why: "", worth: WORTH.read - rank, lines: part, cutTo: MAX_READ }));
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
