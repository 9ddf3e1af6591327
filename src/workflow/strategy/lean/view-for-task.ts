import { firstCodeLine } from "../../../edits/numbered.ts";
import { readText } from "../../../edits/text-file.ts";
import type { IssueSnapshot } from "../../../model/discussion.ts";
import type { Place, Task } from "../../../model/plan.ts";
import type { SourceParser } from "../../../ports/source-parser.ts";
import { issueTerms } from "../../../search/file-indexer.ts";
import type { FileView } from "./agents.ts";
import type { Overlay, RepositoryView } from "./repository-view.ts";
import { viewFile } from "./view-file.ts";

/** Characters of the task's own file, and of all parts of others; a quarter as many tokens. */
const OWN_BUDGET = 18_000;

const OTHERS_BUDGET = 8_000;

const MAX_PLACES = 4;

const IDENTIFIER = /[\p{L}_$][\p{L}\p{N}_$]{2,}/gu;

/** Lines of a declaration that is shown because the task names it. */
const MAX_NAMED_LENGTH = 150;

const AROUND = 12;

/** The beginning of a file has its imports. */
const HEAD = 25;

/** A new file is written in the style of one beside it. */
const SAMPLE_BUDGET = 4_000;

/**
 * What a Developer sees: its file, of a long one the places that the Manager has named, or what has to do with the task;
 * the places in other files; for a new file, one beside it.
 */
export async function viewForTask(deps: {
  readonly issue: IssueSnapshot;
  readonly task: Task;
  /** the file as it is now */
  readonly current: Uint8Array | undefined;
  readonly repositoryView: RepositoryView;
  readonly parser: SourceParser;
  readonly overlay: Overlay;
}): Promise<FileView> {
  const { issue, task, current, repositoryView, parser, overlay } = deps;
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
  if (long && !placed) wanted.push(...(await namedIn(`${task.title} ${task.description}`, task.path, current, parser)));
  const own = await viewFile(task.path, current, { parser, terms, wanted, onlyWanted, budget: OWN_BUDGET });
  const places: { path: string; content: string }[] = [];
  let room = OTHERS_BUDGET;
  const others = named.filter(({ path }) => path !== task.path).slice(0, MAX_PLACES);
  for (const [path, spans] of byPath(others)) {
    const content = await repositoryView.read(path, overlay);
    if (content === undefined || room <= 0) continue;
    const view = await viewFile(path, content, {
      parser,
      terms: NO_TERMS,
      wanted: spans,
      onlyWanted: true,
      budget: room,
    });
    room -= view.content.length;
    places.push({ path, content: view.content });
  }
  if (current === undefined && places.length === 0)
    places.push(...(await sampleBeside(task.path, repositoryView, parser)));
  return { path: task.path, content: own.content, lineCount: own.size, whole: own.whole, places };
}

const NO_TERMS: ReadonlyMap<string, number> = new Map();

function byPath(places: readonly Place[]): Map<string, Place[]> {
  const groups = new Map<string, Place[]>();
  for (const place of places) groups.set(place.path, [...(groups.get(place.path) ?? []), place]);
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

/** Declarations of a file that a task speaks of. */
async function namedIn(text: string, path: string, content: Uint8Array | undefined, parser: SourceParser) {
  const lines = content && readText(content)?.lines;
  const symbols = (lines && (await parser.symbols(path, lines.join("")))) ?? [];
  const said = new Set(text.match(IDENTIFIER) ?? []);
  return symbols.filter(({ name, start, end }) => said.has(name) && end - start < MAX_NAMED_LENGTH);
}
