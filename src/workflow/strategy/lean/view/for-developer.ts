import type { ShownFile } from "../../../../edits/numbered.ts";
import { firstCodeLine, readText } from "../../../../edits/text-file.ts";
import { addTo } from "../../../../model/add-to.ts";
import type { IssueSnapshot } from "../../../../model/discussion.ts";
import type { Place, Task } from "../../../../model/plan.ts";
import type { SourceParser, SourceSymbol } from "../../../../ports/source-parser.ts";
import { issueTerms } from "../../../../search/token-cache.ts";
import { viewFile } from "./excerpts.ts";
import { parseFile } from "./parsed-file.ts";
import type { Overlay, RepositoryView } from "./repository-view.ts";

/** Characters of the task's own file, and of all parts of others; four are about a token. */
const OWN_BUDGET = 18_000;

const OTHERS_BUDGET = 8_000;

const MAX_PLACES = 4;

const IDENTIFIER = /[\p{L}_$][\p{L}\p{N}_$]{2,}/gu;

/** A declaration that the task names is shown up to this many lines. */
const MAX_NAMED_LENGTH = 150;

const AROUND = 12;

/** Lines shown of the beginning, for the imports. */
const HEAD = 25;

/** Characters of the file beside a new one, whose style it follows. */
const SAMPLE_BUDGET = 4_000;

/** A file as its Developer sees it: a long one in parts. */
export interface FileView extends ShownFile {
  readonly lineCount: number;
  readonly whole: boolean;
  /** numbered parts of other files */
  readonly places: readonly ShownFile[];
}

/**
 * Shows a Developer its file (a long one by the places that the Manager names, or by the words of the task), the places
 * in other files, and for a new file one beside it.
 */
export async function viewForDeveloper(deps: {
  readonly issue: IssueSnapshot;
  readonly task: Task;
  /** the file as it is now */
  readonly current: Uint8Array | undefined;
  readonly repositoryView: RepositoryView;
  readonly parser: SourceParser;
  readonly overlay: Overlay;
  /** lines of it that were changed, or that a comment or the task mentions */
  readonly lines?: readonly number[];
}): Promise<FileView> {
  const { issue, task, current, repositoryView, parser, overlay, lines = [] } = deps;
  const terms = issueTerms({ title: task.title, body: task.description, hints: [issue.title] });
  const named = task.places ?? [];
  const wanted = named
    .filter(({ path }) => path === task.path)
    .map(({ start, end }) => ({ start: start - AROUND, end: end + AROUND }));
  const placed = wanted.length > 0;
  const head = firstCodeLine((current && readText(current)?.lines) ?? []);
  wanted.unshift({ start: head, end: head + HEAD });
  const long = (current?.length ?? 0) > OWN_BUDGET;
  const onlyWanted = long && placed;
  const { symbols } = await parseFile(task.path, long ? current : undefined, parser);
  // These come first: the Developer is asked about them, or goes on from them.
  wanted.unshift(...spotlights(lines, symbols));
  const said = new Set(`${task.title} ${task.description}`.match(IDENTIFIER) ?? []);
  if (!placed)
    wanted.push(...symbols.filter(({ name, start, end }) => said.has(name) && end - start < MAX_NAMED_LENGTH));
  const own = await viewFile(task.path, current, { parser, terms, wanted, onlyWanted, budget: OWN_BUDGET });
  const places: { path: string; content: string }[] = [];
  let left = OTHERS_BUDGET;
  const others = named.filter(({ path }) => path !== task.path).slice(0, MAX_PLACES);
  for (const [path, spans] of byPath(others)) {
    const content = await repositoryView.read(path, overlay);
    if (content === undefined || left <= 0) continue;
    const view = await viewFile(path, content, {
      parser,
      terms: NO_TERMS,
      wanted: spans,
      onlyWanted: true,
      budget: left,
    });
    left -= view.content.length;
    places.push({ path, content: view.content });
  }
  if (current === undefined && places.length === 0)
    places.push(...(await sampleBeside(task.path, repositoryView, parser)));
  return { path: task.path, content: own.content, lineCount: own.size, whole: own.whole, places };
}

const NO_TERMS: ReadonlyMap<string, number> = new Map();

function byPath(places: readonly Place[]): Map<string, Place[]> {
  const groups = new Map<string, Place[]>();
  for (const place of places) addTo(groups, place.path, place);
  return groups;
}

async function sampleBeside(path: string, repositoryView: RepositoryView, parser: SourceParser) {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const extension = /\.\w+$/.exec(path)?.[0] ?? "";
  const sample = repositoryView
    .paths()
    .find((one) => one.startsWith(folder) && !one.slice(folder.length).includes("/") && one.endsWith(extension));
  if (sample === undefined) return [];
  const view = await viewFile(sample, await repositoryView.read(sample), {
    parser,
    terms: NO_TERMS,
    budget: SAMPLE_BUDGET,
  });
  return [{ path: sample, content: view.content }];
}

/** From this many lines on, fewer are shown around each. */
const MANY_LINES = 60;

const AROUND_MANY = 3;

/** Widens lines by their neighbours, and by the functions around them unless these are long. */
function spotlights(lines: readonly number[], symbols: readonly SourceSymbol[]) {
  const around = lines.length > MANY_LINES ? AROUND_MANY : AROUND;
  const near = lines.map((line) => ({ start: line - around, end: line + around }));
  const functions = lines.flatMap((line) =>
    symbols
      .filter(({ start, end, kind }) => start <= line && line <= end && FUNCTIONS.has(kind))
      .filter(({ start, end }) => end - start < MAX_NAMED_LENGTH / 2),
  );
  return [...near, ...new Set(functions)];
}

const FUNCTIONS: ReadonlySet<string> = new Set(["function", "method", "constructor", "case"]);
