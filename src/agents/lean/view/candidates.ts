import { type Span, showFile } from "../../../code/edits/numbered.ts";
import { CALLABLE, type SourceParser } from "../../../code/source-parser.ts";
import type { IssueSnapshot } from "../../../data/discussion.ts";
import type { Candidate } from "../../../data/plan.ts";
import type { Repository } from "../../../git/repository.ts";
import { groupOf, isTestPath } from "../../../search/classify-file.ts";
import { isChangelog } from "../../../search/past-notes.ts";
import { type AboutIssue, aboutIssue } from "./about-issue.ts";
import { foundDeclarations, namedDeclarations } from "./declarations.ts";
import {
  type Excerpt,
  excerptOf,
  fillBudget,
  type OpenFile,
  openFile,
  type ShownParts,
  seenIn,
  wholeCost,
} from "./excerpts.ts";
import { isExample, type NotesView, viewNotes } from "./notes.ts";
import { type DeclaredIn, findUses } from "./related-code.ts";
import type { RepositoryView } from "./repository-view.ts";
import { collectTests } from "./tests.ts";

/** What the Manager sees of the repository when it plans the whole work in one go. */
export interface PlanningView {
  files: readonly ShownParts[];
  others: readonly { path: string; summary: string }[];
  /** tests that seem to belong to them, with names that they declare; `sample`: lines of it, or "" */
  tests: readonly { path: string; names: string; sample: string }[];
  /** the notes for users that changes to the code come with; null where they are not usual */
  note: NotesView | null;
  /** lines elsewhere that use the functions that may have to change; "" when there are none */
  uses: string;
}

/** Characters of the view: with one file that may have to change, and for each further one. */
const FIRST = 24_000;

const FURTHER = 5_000;

/** Files to change that add to the budget. */
const MAX_FURTHER = 6;

/** A file up to this share of the budget is shown whole; one that is only read, and a test, up to smaller ones. */
const WHOLE = 0.5;

const WHOLE_TO_READ = 0.1;

const WHOLE_TEST = 0.18;

/** Worth of what is shown; less for each file that ranks lower. */
const WORTH = { named: 100, nearest: 80, whole: 60, read: 50, document: 20 };

/** Parts near to the issue that are shown of a file to read, or of a document. */
const NEAREST = 2;

/** Lines of a part in a file that is only read, and of one of a document. */
const MAX_READ = 30;

const MAX_DOCUMENT = 16;

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
  const further = Math.min(MAX_FURTHER, Math.max(0, change.filter(({ path }) => !isDocument(path)).length - 1));
  const all = FIRST + further * FURTHER;
  const whole = all * WHOLE_TEST;
  const tests = await collectTests(candidates, { about, parser, history, repositoryView, whole });
  const excerpts = [
    ...opened.change.flatMap((file, rank) => partsToChange(file, { rank, most: all * WHOLE })),
    ...opened.read.flatMap((file, rank) => partsToRead(file, { rank, most: all * WHOLE_TO_READ })),
    ...tests.flatMap((test) => test.excerpts),
  ];
  const sources = [...opened.change, ...opened.read];
  const shown = fillBudget(excerpts, [...sources, ...tests.map(({ file }) => file)], { budget: all });
  const of = new Map(shown.map((file) => [file.path, file]));
  const files = sources.flatMap(({ path, isEmpty }) => {
    return of.get(path) ?? (isEmpty ? [{ ...showFile(path, new Uint8Array()), size: 0, whole: true }] : []);
  });
  const isShown = (path: string) => files.some((file) => file.path === path);
  const named = candidates.filter(({ path }) => !isTestPath(path) && !isShown(path) && !isExample(path, note));
  const uses = await findUses(functionsNamed(opened.change), {
    repositoryView,
    parser,
    seen: seenIn(files),
    most: USES,
    wanted: (path) => !isTestPath(path) && !isDocument(path),
  });
  return {
    files,
    others: named.map(({ path, summary, reasons }) => ({ path, summary: summary || reasons.join("; ") })),
    tests: tests.map(({ path, names }) => ({ path, names, sample: of.get(path)?.content ?? "" })),
    note,
    uses,
  };
}

/** Characters of the lines elsewhere that use what may have to change. */
const USES = 1_500;

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

interface Ranked {
  rank: number;
  /** characters up to which a file is shown whole */
  most: number;
}

function partsToChange(file: NamedFile, { rank, most }: Ranked): Excerpt[] {
  if (isDocument(file.path)) return partsOfDocument(file, rank);
  const { path, lines, named } = file;
  const part = (worth: number, cutTo = ALL) => ({ path, why: "", worth: worth - rank, cutTo });
  const found = foundDeclarations(file);
  const whole = wholeCost(file) <= most ? [excerptOf({ start: 1, end: lines.length }, part(WORTH.whole))] : [];
  const first = named.length > 0 ? [] : [{ start: 1, end: Math.min(lines.length, BEGINNING) }];
  return [
    ...named.map((numbers, at) => ({ ...part(WORTH.named - at), lines: andBehind(numbers) })),
    ...whole,
    ...found.map((one) => excerptOf(one, part(WORTH.nearest * one.nearness))),
    ...first.map((one) => excerptOf(one, part(0))),
  ];
}

/** Of a document what is nearest to the issue, else its beginning. */
function partsOfDocument(file: NamedFile, rank: number): Excerpt[] {
  const near = foundDeclarations(file).slice(0, NEAREST);
  const spans = near.length > 0 ? near : [{ start: 1, end: Math.min(file.lines.length, MAX_DOCUMENT) }];
  return spans.map((span) =>
    excerptOf(span, { path: file.path, why: "", worth: WORTH.document - rank, cutTo: MAX_DOCUMENT }),
  );
}

/** With the two lines behind: what is new often goes there. */
const andBehind = (numbers: readonly number[]): readonly number[] => {
  const last = numbers.at(-1) ?? 0;
  return [...numbers, last + 1, last + 2];
};

/** Of a file in which nothing is named or near, so many lines say what it is. */
const BEGINNING = 25;

/** Files to read: what is named in them, else what is near to the issue. */
function partsToRead(file: NamedFile, { rank, most }: Ranked): Excerpt[] {
  const { path, lines, named } = file;
  if (isDocument(path)) return [];
  const part = (worth: number) => ({ path, why: "", worth: worth - rank, cutTo: MAX_READ });
  if (wholeCost(file) <= most) return [excerptOf({ start: 1, end: lines.length }, { ...part(WORTH.read), cutTo: ALL })];
  if (named.length > 0) return named.map((numbers) => ({ ...part(WORTH.read), lines: numbers }));
  return foundDeclarations(file)
    .slice(0, NEAREST)
    .map((one) => excerptOf(one, part(WORTH.read * one.nearness)));
}

/** The functions that the Custodian names in files that may have to change. */
const functionsNamed = (files: readonly NamedFile[]): readonly DeclaredIn[] =>
  files.flatMap(({ path, symbols, named }) => {
    const isNamed = ({ start, end }: Span) => named.some((lines) => lines.includes(start) && lines.at(-1) === end);
    return symbols.filter((one) => CALLABLE.has(one.kind) && isNamed(one)).map(({ name }) => ({ name, path }));
  });

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
