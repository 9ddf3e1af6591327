import { posix } from "node:path";
import pMap from "p-map";
import { cleanLog } from "../../checks/test-logs/clean-log.ts";
import { cutLog } from "../../checks/test-logs/cut-log.ts";
import { createPathFinder, findPlaces } from "../../checks/test-logs/places.ts";
import { imageIn } from "../../checks/test-logs/runner-image.ts";
import { readText } from "../../code/edits/text-file.ts";
import { addTo } from "../../data/add-to.ts";
import type { FailedCheck } from "../../data/checks.ts";
import type { IssueSnapshot } from "../../data/discussion.ts";
import { isHostRefusal } from "../../data/error.ts";
import type { Log } from "../../data/log.ts";
import type { Repository } from "../../git/repository.ts";
import type { CodeHost } from "../../github/code-host.ts";
import type { UnsteadyCheck } from "../../report/check-comment.ts";
import type { PhaseContext } from "../../run/run-context.ts";
import { classifyFile } from "../../search/classify-file.ts";
import { paragraphs } from "../../text/compose-markdown.ts";
import { cutEnd } from "../../text/cut.ts";
import { type Rendered, shownText, shownWords } from "../../text/shown-text.ts";
import { stripInvisible } from "../../text/visible-text.ts";
import type { FailingCheck, FailingChecks } from "./read-situation.ts";

/** Checks whose logs are read. When more fail, the others are only named. */
const MAX_CHECKS = 6;

const AT_ONCE = 2;

export interface Diagnosis {
  /** those that the change may have caused */
  failures: readonly FailedCheck[];
  /** those whose failing tests use nothing of the change; absent in runs of before */
  unsteady?: readonly UnsteadyCheck[];
  /** paths that the pull request changes; absent in runs of before */
  changed?: readonly string[];
  /** what fails, as the issue that the agents resolve */
  issue: IssueSnapshot;
}

/**
 * Reads what is known of the failures. Kept from here on, so that a run that is taken up again asks the same questions.
 */
export async function diagnose({
  failing,
  host,
  repository,
  log,
}: PhaseContext & { failing: FailingChecks }): Promise<Diagnosis> {
  const { pull, ours } = failing;
  const paths = [...repository.entries.keys()];
  const render = renderFirst(host);
  const read = await pMap(ours.slice(0, MAX_CHECKS), (check) => readFailure({ check, host, render, paths, log }), {
    concurrency: AT_ONCE,
  });
  const changed = (await host.changedPaths(failing.base, pull.head)) ?? [];
  const failures: FailedCheck[] = [];
  const unsteady: UnsteadyCheck[] = [];
  for (const [at, failure] of read.entries()) {
    const { jobOnBase } = ours[at] ?? {};
    const why =
      (await whyStrange(failure, changed, repository)) ?? (await whyOtherImage(failure, changed, jobOnBase, host));
    if (why === undefined) failures.push(failure);
    else unsteady.push({ name: failure.name, why });
  }
  const unshown = ours.slice(MAX_CHECKS).map(({ title }) => title);
  return { failures, unsteady, changed, issue: failuresAsIssue(pull, failures, unshown) };
}

/** What so many checks say of themselves is rendered, each by a request; the log says it all. */
const MAX_RENDERED = 2;

function renderFirst(host: CodeHost): CodeHost["renderText"] {
  let left = MAX_RENDERED;
  return async (text) => (left-- > 0 ? host.renderText(text) : undefined);
}

async function whyStrange(
  { places }: FailedCheck,
  changed: readonly string[],
  repository: Repository,
): Promise<string | undefined> {
  const [test] = await strangeTests(places, changed, repository);
  if (test === undefined) return undefined;
  return `\`${test}\` fails, which this change does not touch and which uses nothing that it changed`;
}

/** Why a failure is not the change's: the check ran on another image than on the base, and names nothing changed. */
async function whyOtherImage(
  { places, image }: FailedCheck,
  changed: readonly string[],
  jobOnBase: number | undefined,
  host: CodeHost,
): Promise<string | undefined> {
  if (image === undefined || jobOnBase === undefined) return undefined;
  if (places.some(({ path }) => changed.includes(path))) return undefined;
  const log = await host.jobLog(jobOnBase, MAX_BYTES).catch(noneIfRefused);
  const known = log === undefined ? undefined : imageIn(log);
  if (known === undefined || known === image) return undefined;
  return `it ran on the image ${image} and not on ${known} as on the base, and names nothing that was changed`;
}

function noneIfRefused(error: unknown): undefined {
  if (!isHostRefusal(error)) throw error;
}

const groupOf = (path: string) => classifyFile({ path, mode: "100644", size: 1 }).group;

/** Files followed from a failing test; with more, nothing can be ruled out. */
const MAX_FOLLOWED = 300;

/**
 * The test files that a failure names, when the change has nothing to do with any of them: it touches none, nor their
 * neighbours, nor files reached by the names that they mention. Empty otherwise, and when that is unclear.
 */
async function strangeTests(
  places: FailedCheck["places"],
  all: readonly string[],
  repository: Repository,
): Promise<readonly string[]> {
  const named = [...new Set(places.map(({ path }) => path))];
  const changed = all.filter((path) => groupOf(path) !== "documentation");
  const tests = named.filter((path) => groupOf(path) === "test");
  const isProgram = (path: string) => groupOf(path) === "source" || groupOf(path) === "test";
  if (tests.length === 0 || changed.length === 0 || !changed.every(isProgram)) return [];
  const folders = new Set(changed.map((path) => posix.dirname(path)));
  const known = [...repository.entries.keys()].filter(isProgram);
  const byStem = new Map<string, string[]>();
  for (const path of known) addTo(byStem, stemOf(path), path);
  const reached = new Set(named);
  for (const path of reached) {
    if (changed.includes(path) || folders.has(posix.dirname(path)) || reached.size > MAX_FOLLOWED) return [];
    const blob = repository.entries.get(path)?.blob;
    const text = blob === undefined ? "" : (readText(await repository.readBlob(blob))?.lines.join("") ?? "");
    for (const [word] of text.matchAll(/[\w-]{2,80}/g))
      for (const next of byStem.get(plainStem(word)) ?? []) reached.add(next);
  }
  return tests;
}

const plainStem = (word: string) => word.replace(/[_-]/g, "").toLowerCase();

/** The name by which others use a file: its own, or its folder's for an index file. */
function stemOf(path: string): string {
  const name = posix.basename(path).replace(/\..*/s, "");
  return plainStem(/^(?:index|mod|lib|main|__init__)$/.test(name) ? posix.basename(posix.dirname(path)) : name);
}

/** How much of a log's end is read, in bytes, and how much of it the agents see, in characters. */
const MAX_BYTES = 4 * 1024 * 1024;

const MAX_SHOWN = 12_000;

/** GitHub's mark on every failed step says nothing. */
const IDLE = /^(?:[\w.-]+: )?(?:Process completed with exit code|The operation was canceled)/i;

/** All that is known of one failed check, without what the host does not give (a log that is gone, a status). */
async function readFailure(deps: {
  check: FailingCheck;
  host: CodeHost;
  render: CodeHost["renderText"];
  /** paths of the repository's files */
  paths: readonly string[];
  log: Log;
}): Promise<FailedCheck> {
  const { check, host, render, paths, log } = deps;
  const { checkRunId, jobId, title, summary } = check;
  const rows = checkRunId === undefined ? [] : await orNone(() => host.annotationsOf(checkRunId), []);
  const raw = jobId === undefined ? undefined : await orNone(() => host.jobLog(jobId, MAX_BYTES), undefined);
  const find = createPathFinder(paths);
  const annotations = rows
    .filter(({ level, message }) => level !== "notice" && !IDLE.test(message))
    .map(({ path, startLine, message }) => ({
      path: find(path) ?? path,
      line: startLine,
      message: stripInvisible(message),
    }));
  const shown = cutLog(cleanLog(raw ?? ""), MAX_SHOWN);
  const said = await shownWords(summary, render);
  const marked = annotations.map(({ path, line }) => ` ${path}:${line}`).join("\n");
  const places = findPlaces(`${marked}\n${said}\n${shown}`, paths);
  const image = imageIn(raw ?? "");
  return { name: title, summary: said, annotations, log: shown, places, image };

  async function orNone<T>(read: () => Promise<T>, none: T): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (!isHostRefusal(error)) throw error;
      log.warn({ error, check: title }, "could not read all of a failed check");
      return none;
    }
  }
}

const MAX_BODY = 12_000;

/**
 * The failing checks of a pull request as the issue that the agents resolve: what fails, and what the pull request says
 * of itself. Further checks are only named.
 */
export function failuresAsIssue(
  pull: Rendered & { number: number; title: string; url: string },
  checks: readonly FailedCheck[],
  unshown: readonly string[],
): IssueSnapshot {
  const body = cutEnd(shownText(pull), MAX_BODY);
  const text = paragraphs(
    "Our pull request makes checks fail that do not fail without it. They have to pass again, and what the pull request does has to be kept.",
    describeFailures(checks),
    unshown.length > 0 && `These checks fail too: ${unshown.map(stripInvisible).join(", ")}`,
    `What the pull request says of itself, "${stripInvisible(pull.title)}":`,
    body,
  );
  return {
    number: pull.number,
    title: `Failing checks: ${[...checks.map(({ name }) => name), ...unshown].map(stripInvisible).join(", ")}`,
    body: text,
    author: "",
    standing: "log",
    url: pull.url,
    discussion: [],
    hint: "",
  };
}

const MAX_SUMMARY = 3_000;

const MAX_ANNOTATIONS = 20;

const MAX_MESSAGE = 600;

/** Failed checks as plain text for the agents: what each says of itself, the lines it names, its log. */
export function describeFailures(checks: readonly FailedCheck[]): string {
  return checks.map(describe).join("\n\n");
}

function describe({ name: given, summary, annotations, log, places }: FailedCheck): string {
  const name = stripInvisible(given);
  const marked = annotations.slice(0, MAX_ANNOTATIONS).map(({ path, line, message }) => {
    return `- ${path}:${line}: ${cutEnd(message, MAX_MESSAGE)}`;
  });
  const more = annotations.length - marked.length;
  if (more > 0) marked.push(`[… ${more} more left out …]`);
  return paragraphs(
    `The check "${name}" failed.`,
    summary && `It says of itself:\n${cutEnd(summary, MAX_SUMMARY)}`,
    marked.length > 0 && `Its annotations:\n${marked.join("\n")}`,
    places.length > 0 &&
      `Lines of the repository that it names: ${places.map(({ path, line }) => `${path}:${line}`).join(", ")}`,
    log ? `The part of its log that tells the failure:\n${log}` : "There is no log of it to read.",
  );
}
