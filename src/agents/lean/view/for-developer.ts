import { type ShownFile, showFile } from "../../../code/edits/numbered.ts";
import { CALLABLE, isTestKind, type SourceParser, type SourceSymbol } from "../../../code/source-parser.ts";
import type { IssueSnapshot } from "../../../data/discussion.ts";
import type { Task } from "../../../data/plan.ts";
import { codeWords } from "../../../search/terms.ts";
import { issueTerms } from "../../../search/token-cache.ts";
import { foundDeclarations } from "./declarations.ts";
import { type Excerpt, excerptOf, fillBudget, openFile, wholeCost } from "./excerpts.ts";
import type { Overlay, RepositoryView } from "./repository-view.ts";

/** Characters of everything, and up to which the task's own file is shown whole; four are about a token. */
const BUDGET = 24_000;

const WHOLE = 18_000;

const MAX_PLACES = 4;

/** A function is shown whole for a line in it up to this many lines. */
const MAX_WHOLE = 100;

/** Lines around a place, and around a line. */
const AROUND = 12;

/** Lines of the file in the folder of a new one, whose style it follows. */
const SAMPLE = 120;

/** What comes first: what the Developer is asked about, the Manager's places, what is near to the task. */
const WORTH = { asked: 100, placed: 90, elsewhere: 80, near: 50 };

/** A file as its Developer sees it: a long one in parts. */
export interface FileView extends ShownFile {
  lineCount: number;
  whole: boolean;
  /** numbered parts of other files */
  places: readonly ShownFile[];
}

/**
 * Shows a Developer its file (a long one by the places that the Manager names, or by the words of the task), the places
 * in other files, and for a new file one of its folder.
 */
export async function viewForDeveloper(deps: {
  issue: IssueSnapshot;
  task: Task;
  /** the file as it is now */
  current: Uint8Array | undefined;
  repositoryView: RepositoryView;
  parser: SourceParser;
  overlay: Overlay;
  /** lines of it that were changed, or that a comment or the task mentions */
  lines?: readonly number[];
}): Promise<FileView> {
  const { issue, task, current, repositoryView, parser, overlay, lines = [] } = deps;
  const { path, places = [] } = task;
  const own = await openFile(path, current, {
    parser,
    terms: issueTerms({ title: task.title, body: task.description, hints: [issue.title] }),
    exact: codeWords(`${task.title} ${task.description}`),
  });
  const isLong = wholeCost(own) > WHOLE;
  const inOwn = places.filter((place) => place.path === path);
  const others = places.filter((place) => place.path !== path).slice(0, MAX_PLACES);
  const sample = current === undefined && others.length === 0 ? siblingOf(path, repositoryView.paths()) : [];
  const paths = [...new Set([...others.map((place) => place.path), ...sample])];
  const files = await Promise.all(
    paths.map(async (other) => openFile(other, await repositoryView.read(other, overlay), { parser })),
  );
  const excerpts: Excerpt[] = [
    ...asked(lines, own.symbols).map((span) => excerptOf(span, part(path, WORTH.asked))),
    ...inOwn.map(({ start, end }) => excerptOf({ start: start - AROUND, end: end + AROUND }, part(path, WORTH.placed))),
    ...others.map((place) => excerptOf(place, part(place.path, WORTH.elsewhere))),
    ...sample.map((one) => excerptOf({ start: 1, end: SAMPLE }, part(one, WORTH.elsewhere))),
    ...(inOwn.length === 0 ? foundDeclarations(own) : []).map((one) =>
      excerptOf(one, part(path, WORTH.near * one.nearness)),
    ),
  ];
  const all = fillBudget(excerpts, [own, ...files], { budget: isLong ? BUDGET : BUDGET - wholeCost(own) });
  const shown = isLong ? all.find((file) => file.path === path) : undefined;
  return {
    path,
    content: shown?.content ?? showFile(path, current).content,
    lineCount: own.lines.length,
    whole: shown?.whole ?? true,
    places: all.filter((file) => file.path !== path),
  };
}

const part = (path: string, worth: number) => ({ path, why: "", worth, cutTo: Number.MAX_SAFE_INTEGER });

/** A file in the folder of a new one. */
function siblingOf(path: string, paths: readonly string[]): readonly string[] {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const extension = /\.\w+$/.exec(path)?.[0] ?? "";
  const isBeside = (one: string) => one.startsWith(folder) && !one.slice(folder.length).includes("/");
  return paths.filter((one) => isBeside(one) && one.endsWith(extension)).slice(0, 1);
}

/** Widens lines by their neighbours, and by the functions around them unless these are long. */
function asked(lines: readonly number[], symbols: readonly SourceSymbol[]) {
  const near = lines.map((line) => ({ start: line - AROUND, end: line + AROUND }));
  const functions = symbols.filter(({ start, end, kind }) => {
    const isShort = (CALLABLE.has(kind) || isTestKind(kind)) && end - start < MAX_WHOLE;
    return isShort && lines.some((line) => start <= line && line <= end);
  });
  return [...near, ...functions];
}
