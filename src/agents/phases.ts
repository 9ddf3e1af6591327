import pMap from "p-map";
import { createPathGuard } from "../change/path-guard.ts";
import { splitLines } from "../code/edits/text-file.ts";
import { isTestKind } from "../code/source-parser.ts";
import { MagisError } from "../data/error.ts";
import type { Candidate, MadePlan } from "../data/plan.ts";
import type { JudgedFile } from "../data/run-record.ts";
import type { RunSettings } from "../data/settings.ts";
import type { TaskOutcome, Work } from "../data/work.ts";
import { keepPlan } from "../run/start.ts";
import {
  CANDIDATES,
  type CodeInput,
  type LocateInput,
  type PlanInput,
  type Pool,
  type Strategy,
} from "../run/strategy.ts";
import { declarationsOf } from "../search/declarations.ts";
import { MAX_UNDIVIDED } from "../search/file-parts.ts";
import { addFurtherEvidence } from "../search/further-evidence.ts";
import { indexTree, type TreeIndex } from "../search/index-tree.ts";
import { repositoryMap } from "../search/outline.ts";
import { kindInWords } from "../search/path-rules.ts";
import { rankFiles } from "../search/rank-files.ts";
import type { IssueText, Candidate as Ranked } from "../search/ranking-types.ts";
import { readMentions } from "../search/read-mentions.ts";
import { createPathMatcher } from "../search/score-mentions.ts";
import { codeSpan } from "../text/compose-markdown.ts";
import { counted, figure } from "../text/counted.ts";
import { writeTogether } from "./lean/code.ts";
import { shortlistTogether } from "./lean/locate.ts";
import { planTogether } from "./lean/plan.ts";
import { paper } from "./paper/paper.ts";

/** The product's own profile: what one call can answer is asked together. */
export const lean: Strategy = {
  /** each Developer's change, and one review */
  form: { once: 0, aRound: 1, team: 1, atEnd: 0 },
  shortlist: shortlistTogether,
  plan: planTogether,
  code: writeTogether,
};

/** The profiles by their names; a profile is its folder, its prompts' folder, and its entry here. */
export const PROFILES: Readonly<Record<RunSettings["profile"], Strategy>> = { lean, paper };

/** Characters of the map, about a quarter as many tokens. */
const MAP_BUDGET = 4_100;

/** Files the map is made around: beyond them only names and folders are shown. */
const MAPPED_FILES = 400;

/** Files of the map whose declarations a parser finds: about as many as there is room for. */
const PARSED_FILES = 48;

const PARSED_AT_ONCE = 8;

/**
 * How many of the best-ranked files stay when the Custodian drops them all, so that a strict filter does not end a run.
 */
const KEPT_AT_LEAST = 3;

/**
 * Algorithm 1, locating: ranks the repository against the issue, then lets the Custodian judge the best of it. Gives the
 * candidates in ranked order. Throws NOTHING_TO_SEARCH, before any model is asked, where no file can be searched.
 */
export async function locateFiles(deps: LocateInput): Promise<readonly Candidate[]> {
  const { settings, tracker, record } = deps;
  const { pool, detail, counts, unread } = deps.ranked ? rankedBefore(deps.ranked, deps) : await rankRepository(deps);
  await tracker.detail(detail);
  const judged = await PROFILES[settings.profile].shortlist(deps, pool);
  const kept = keep(judged);
  await record("candidates", { judged, note: kept.note });
  const looked = `${counts}, ${judged.length} looked at, ${kept.files.length} kept`;
  await tracker.conclude(unread ? `${looked}; ${unread}` : looked);
  return kept.files.map(({ path, blob, score, reasons, summary, reason, names, use }) => ({
    path,
    blob,
    score,
    reasons,
    summary: summary || reason,
    names: names?.length ? names : undefined,
    use,
  }));
}

interface RankedRepository {
  readonly pool: Pool;
  /** how many files were searched, in words; `detail` while the Custodian works */
  readonly counts: string;
  readonly detail: string;
  /** what could not be read, in words */
  readonly unread?: string | undefined;
}

/** The best of a ranking that was made elsewhere, without a map: nothing of ours is added. */
function rankedBefore(
  ranked: readonly string[],
  { repository, candidates = CANDIDATES }: LocateInput,
): RankedRepository {
  const known = (path: string) => {
    const entry = repository.entries.get(path);
    return entry && { path, blob: entry.blob };
  };
  const pool = ranked.slice(0, candidates).flatMap((path, index) => {
    const file = known(path);
    return file ? [{ ...file, score: 1 / (index + 1), reasons: ["BM25"] }] : [];
  });
  const counts = `${figure(ranked.length, "file")} ranked by BM25 alone`;
  return { pool: { pool, map: "", known }, counts, detail: counts };
}

/** Ranks by BM25 and what the issue names, with a map of the repository for what the search has missed. */
async function rankRepository(deps: LocateInput): Promise<RankedRepository> {
  const { issue, repository, settings, candidates = CANDIDATES } = deps;
  const [{ files, classes, unread }, history] = await Promise.all([
    indexTree({
      entries: [...repository.entries.values()].filter(({ path }) => !deps.policy.ignored(path)),
      readBlob: (blob) => repository.readBlob(blob),
      cache: deps.tokenCache,
    }),
    repository.history(),
  ]);
  if (files.every(({ path }) => path === SETTINGS_FILE)) throw nothingToSearch(classes, repository.entries.size);
  const hints = [issue.hint, ...issue.discussion.map(({ body }) => body)].filter((text) => text !== "");
  const text = { title: issue.title, body: issue.body, hints };
  const byText = rankFiles({ files, issue: text, limit: Math.max(MAPPED_FILES, candidates) });
  const ranked = await addFurtherEvidence({
    ranked: byText,
    files,
    issue: text,
    history,
    parser: deps.parser,
    textOf: async ({ blob, best }) => telling(Buffer.from(await repository.readBlob(blob)), best).toString("utf8"),
  });
  const pool = ranked.slice(0, candidates);
  const paths = ranked.map(({ path }) => path);
  const whyNot = (path: string) => {
    const found = classes.get(path);
    return found?.group === null
      ? `${codeSpan(path)} is left out: ${kindInWords(found.kind)} (${found.reason})`
      : undefined;
  };
  const mapped = !settings.ablate.includes("map") && files.length > pool.length;
  const declared = mapped ? await declaredBy(ranked.slice(pool.length, pool.length + PARSED_FILES), deps) : undefined;
  return {
    pool: {
      pool,
      map: mapped ? repositoryMap(files, paths, MAP_BUDGET, { known: paths.slice(0, pool.length), declared }) : "",
      known: (path) => files.find((file) => file.path === path),
      whyNot,
    },
    counts: `${figure(files.length, "file")} searched`,
    detail: `${files.length} of ${figure(repository.entries.size, "file")} searched`,
    unread: [unread, ...namedIn(text, classes).map(whyNot)].filter((one) => one !== undefined).join("; "),
  };
}

/** The most left-out files that are named to people. */
const MAX_NAMED = 3;

/** The files that an issue names, and that are left out of the search. */
function namedIn(text: IssueText, classes: TreeIndex["classes"]): readonly string[] {
  const leftOut = [...classes].filter(([, { group }]) => group === null).map(([path]) => path);
  const { paths } = readMentions(text);
  const find = createPathMatcher(leftOut);
  const found = paths.map((path) => ({ ...find(path), wanted: path.split("/").length }));
  const sure = found.filter(({ files, parts, wanted }) => files.length === 1 && parts === wanted);
  return [...new Set(sure.flatMap(({ files }) => files.map((at) => leftOut[at] as string)))].slice(0, MAX_NAMED);
}

/** Names what the best files outside of the pool declare. Large files and those without any such name are left out. */
async function declaredBy(
  ranked: readonly Ranked[],
  { repository, parser }: LocateInput,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = await pMap(
    ranked,
    async ({ path, blob }): Promise<readonly [string, readonly string[]]> => {
      const content = Buffer.from(await repository.readBlob(blob));
      if (content.length > MAX_UNDIVIDED) return [path, []];
      const declared = (await declarationsOf(path, splitLines(content.toString("utf8")), parser)) ?? [];
      // A namespace says no more than the file's folder.
      const names = declared.filter(({ kind }) => kind !== "module" && !isTestKind(kind)).map(({ name }) => name);
      return [path, names];
    },
    { concurrency: PARSED_AT_ONCE },
  );
  return new Map(found.filter(([, names]) => names.length > 0));
}

/** Bytes of a large file in which its imports are. */
const BEGINNING = 8_000;

/** All of a file; of a large one its beginning and the parts that have most to do with the issue. */
function telling(content: Buffer, best: Ranked["best"] = []): Buffer {
  if (content.length <= MAX_UNDIVIDED) return content;
  const places = [{ start: 0, end: BEGINNING }, ...best];
  return Buffer.concat(places.map(({ start, end }) => content.subarray(start, end)));
}

/** Tells the agents how to work: not a file to search. */
const SETTINGS_FILE = ".github/magis.yml";

/**
 * The error for a repository without searchable files, which says what it holds instead; `all`: how many files there
 * are, including ignored ones.
 */
function nothingToSearch(classes: TreeIndex["classes"], all: number): MagisError {
  const leftOut = [...classes].filter(([path]) => path !== SETTINGS_FILE);
  const kinds = leftOut.map(([, { kind }]) => kindInWords(kind));
  const counts = new Map<string, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const ignored = all - classes.size;
  if (ignored > 0) counts.set("ignored by `.github/magis.yml`", ignored);
  const kindsLeftOut = [...counts].map(([kind, count]) => `${kind} (${count})`).join(", ");
  const what = all === 0 ? "the commit holds no files" : `its files are all left out, as ${kindsLeftOut}`;
  return new MagisError("NOTHING_TO_SEARCH", `There is nothing in this repository that can be searched: ${what}.`);
}

function keep(judged: readonly JudgedFile[]): { readonly files: readonly JudgedFile[]; readonly note?: string } {
  const relevant = judged.filter((file) => file.relevant);
  if (relevant.length > 0 || judged.length === 0) return { files: relevant };
  const note = "The Custodian judged no file to be relevant; the best-ranked were kept.";
  return { files: judged.slice(0, KEPT_AT_LEAST), note };
}

/**
 * Algorithm 2, making the plan. A team of one has nothing to agree on and nothing to order: it holds no meeting.
 */
export async function makePlan(deps: PlanInput): Promise<MadePlan> {
  const { repository, policy, settings, tracker } = deps;
  const guard = await createPathGuard(repository, policy);
  const plan = { ...(await PROFILES[settings.profile].plan(deps, guard)), policy: deps.aiPolicy };
  await keepPlan(plan, deps);
  await tracker.conclude(sentenceOfPlan(plan));
  return plan;
}

function sentenceOfPlan({ tasks, meeting, unsolved, questions = [] }: MadePlan): string {
  if (tasks.length === 0 && unsolved) return "no change was found";
  if (tasks.length === 0) return questions.length > 0 ? "there are questions first" : "no file has to change";
  const agreed = tasks.length > 1 && meeting.length > 0 ? ", agreed on in a kick-off meeting" : "";
  return `${counted(tasks.length, "task")}${agreed}`;
}

/**
 * Coding (3.2.2): carries out the plan in rounds of work and review. A task without a usable answer fails alone; when
 * the budget is reached, what is finished is kept.
 */
export async function writeCode(deps: CodeInput): Promise<Work> {
  const work = await PROFILES[deps.settings.profile].code(deps);
  await deps.record("work", work);
  await deps.tracker.conclude(sentenceOfWork(work.outcomes));
  return work;
}

function sentenceOfWork(outcomes: readonly TaskOutcome[]): string {
  const count = (status: TaskOutcome["status"]) => outcomes.filter((outcome) => outcome.status === status).length;
  const parts = [
    [count("approved"), "approved by QA"],
    [count("mended"), "mended by QA"],
    [count("open"), "with open QA comments"],
    [count("unchanged"), "without a change"],
    [count("failed"), "failed"],
  ] as const;
  return parts.flatMap(([number, text]) => (number > 0 ? [`${number} ${text}`] : [])).join(", ");
}
