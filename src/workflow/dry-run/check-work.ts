import { keepChecks, reworkCode, type SentBack } from "../../agents/keep-checks.ts";
import { type FreeEdits, linesOf } from "../../change/edited-tests.ts";
import { type ChangedFile, changedFiles } from "../../change/working-copy.ts";
import { newTestsOf } from "../../checks/test-logs/new-tests.ts";
import { findPlaces } from "../../checks/test-logs/places.ts";
import { readText } from "../../code/edits/text-file.ts";
import type { IssueSnapshot } from "../../data/discussion.ts";
import type { MadePlan } from "../../data/plan.ts";
import type { RecordParts } from "../../data/run-record.ts";
import type { RunResult } from "../../data/run-state.ts";
import type { NewTest, ProofVerdict, Question } from "../../data/verdict.ts";
import type { Work } from "../../data/work.ts";
import type { Repository } from "../../git/repository.ts";
import { fenced } from "../../models/prompt-library.ts";
import { checkSentence } from "../../report/end-of-run.ts";
import type { PhaseRunner } from "../../run/phase-runner.ts";
import type { PhaseContext } from "../../run/run-context.ts";
import type { Verifier } from "../../run/verifier.ts";
import { isTestPath } from "../../search/classify-file.ts";
import { cutEnd } from "../../text/cut.ts";

/** The command that checks the change on a person's own machine. The server has none. */
export interface LocalCheck {
  command: string;
  /** how often a failure goes back to the Developers */
  rounds: number;
  /** ends the command */
  signal: AbortSignal;
  /** Opens the verifier for the base commit; always the same one, since it compares with what it saw there. */
  open(repository: Repository): Verifier;
  /**
   * What to do if the command does not pass on the base commit and so proves nothing: go on without a proof, stop
   * before paying for anything, or ask a person.
   */
  unproven: "go on" | "stop" | ((question: string) => Promise<boolean>);
  /** Reports that the command starts; the function it returns takes how it ended. */
  watch?: (on: Question["ask"]) => (ended: CheckedOnce | undefined) => void;
}

/** How one run of the command ended. */
export interface CheckedOnce {
  state: Checked["end"];
  /** what failed, in the command's words; "" if it passed */
  words: string;
  /** the new tests alone failed as they should */
  asWanted?: boolean;
}

interface CheckInput {
  base: { commit: string };
  issue: IssueSnapshot;
  plan: MadePlan;
  work: Work;
  check: LocalCheck;
  onBase: CheckedOnce;
}

type Checked = RecordParts["check"];

/** The work after the check, and how the check ended. */
export interface CheckedWork {
  work: Work;
  end: Checked["end"];
  /** `end` as a sentence for people */
  said: string;
}

/**
 * Runs the command on the base commit before asking any model: that is free, and a check that does not pass there
 * proves nothing about a change. Returns how it ended, or the end of a run that stops without a proof.
 */
export async function checkBase(
  runner: PhaseRunner,
  base: { commit: string },
  check: LocalCheck,
): Promise<CheckedOnce | { end: RunResult }> {
  const { command, signal } = check;
  return runner.step("check the base", async (run) => {
    const repository = await run.openRepository(base.commit, signal);
    const onBase = await tryOnce(check, repository, { files: [], ask: "base", tests: [] });
    if (onBase.state === "green") return onBase;
    const checked = { command, base: onBase.state, rounds: 0, end: "unknown" as const, words: onBase.words };
    await run.record("check", checked);
    // Waiting for a person's answer must not use up the run's minutes.
    run.spending.standStill();
    const reason = await whyStop(check, onBase).finally(() => run.spending.goOn());
    if (reason !== undefined) return { end: { kind: "refused", reason } as const };
    await run.tracker.note(saidOf(checked));
    return onBase;
  });
}

/** Why the run stops before paying for a change that nothing can prove, in a sentence; undefined: it goes on. */
async function whyStop({ command, unproven }: LocalCheck, { state }: CheckedOnce): Promise<string | undefined> {
  if (unproven === "go on") return undefined;
  const what = `The check \`${command}\` ${state === "red" ? "fails" : "comes to no verdict"} on the commit as it is, so it can prove nothing of a change.`;
  if (unproven === "stop")
    return `${what} Nothing was spent. Mend that first, or go on without a proof: --check-anyway.`;
  const agreed = await unproven(`${what} Nothing has been spent yet. Go on without a proof?`);
  return agreed ? undefined : "Stopped, since the check would prove nothing. Nothing was spent.";
}

/**
 * Checks finished work with the command: the new tests alone must fail, the whole change must pass. A failure goes back
 * to the Developers like a QA Engineer's comments, and their change is reviewed.
 */
export async function checkWork(runner: PhaseRunner, input: CheckInput): Promise<CheckedWork> {
  const { base, issue, plan, check, onBase } = input;
  let { work } = input;
  if (onBase.state !== "green") {
    const { command } = check;
    return { work, end: "unknown", said: saidOf({ command, base: onBase.state, rounds: 0, end: "unknown" }) };
  }
  let checked: Checked | undefined;
  for (let round = 0; ; round++) {
    const since = work;
    const last = await runner.phase(
      "code",
      base,
      (run) => tryWork(run, { since, check, before: checked, round }),
      `check ${round}`,
    );
    checked = last.checked;
    const {
      back,
      checked: { words },
    } = last;
    if (back.length === 0 || round >= check.rounds || work.stopped) break;
    const risen = { ...base, reds: round + 1 };
    const rework = async (run: PhaseContext) => {
      const deps = { ...run, issue, plan };
      const free = freeEdits(words, run.repository);
      return keepChecks(deps, await reworkCode(deps, since, back), { free, since });
    };
    work = await runner.phase("code", risen, rework, `rework ${round + 1}`);
  }
  return { work, end: checked.end, said: saidOf(checked) };
}

/** What the change brings itself, and the lines that the check names. */
function freeEdits(words: string, { entries, readBlob }: Repository): FreeEdits {
  const onBase = async (path: string) => {
    const entry = entries.get(path);
    return entry && readBlob(entry.blob);
  };
  return { onBase, named: linesOf(findPlaces(words, entries.keys())) };
}

/** The verdict as a sentence. */
const saidOf = (check: Parameters<typeof checkSentence>[0]) => `The ${checkSentence(check)}.`;

interface Tried {
  since: Work;
  check: LocalCheck;
  /** the previous round's verdict */
  before: Checked | undefined;
  round: number;
}

async function tryWork(
  run: PhaseContext,
  { since, check, before, round }: Tried,
): Promise<{ checked: Checked; back: readonly SentBack[] }> {
  const { repository, record, tracker } = run;
  const { command } = check;
  const files = await changedFiles(since.changes, repository);
  const tests = await newTests(files, run);
  const own = files.filter(({ path }) => isTestPath(path));
  const isApart = tests.length > 0 && own.length < files.length;
  const alone = isApart ? await tryOnce(check, repository, { files: own, ask: "red", tests }) : undefined;
  const { state: end, words } = await tryOnce(check, repository, { files, ask: "green", tests });
  const part = { command, base: "green" as const, rounds: round, end, words, tests: alone?.kind };
  return keep(part, end === "red" ? sentBack(command, words, files) : []);

  async function keep(part: Checked, back: readonly SentBack[]) {
    const first = before?.first ?? (part.end === "red" ? part.words : undefined);
    const whole = { ...part, first };
    await record("check", whole);
    await tracker.detail(checkSentence(whole));
    return { checked: whole, back };
  }
}

/** Runs the command once, on the commit with `files` changed. */
async function tryOnce(
  check: LocalCheck,
  repository: Repository,
  { files, ask, tests }: Question & { files: readonly ChangedFile[] },
): Promise<CheckedOnce & Pick<ProofVerdict, "kind">> {
  const ended = check.watch?.(ask);
  let seen: CheckedOnce | undefined;
  try {
    const tried = files.map(({ path, after }) => ({ path, content: after ?? null }));
    const change = { base: repository.commit, files: tried };
    const verdict = await check.open(repository).verify(change, { ask, tests }, check.signal);
    const state = endOf(verdict);
    const checked = { kind: verdict.kind, state, words: state === "green" ? "" : wordsOf(verdict) };
    seen = ask === "red" ? { ...checked, asWanted: verdict.kind === "right-red" } : checked;
    return checked;
  } finally {
    ended?.(seen);
  }
}

function endOf({ kind }: ProofVerdict): Checked["end"] {
  if (kind === "green" || kind === "not-red") return "green";
  return kind === "right-red" || kind === "other-red" ? "red" : "unknown";
}

const MAX_WORDS = 8_000;

/** What failed, in the command's words. */
function wordsOf(verdict: ProofVerdict): string {
  const tests = "tests" in verdict ? verdict.tests : [];
  const parts = tests.map(({ name, words }) => `${name}\n${words}`);
  if (verdict.kind === "other-red" && !parts.some((part) => part.includes(verdict.words))) parts.push(verdict.words);
  if (verdict.kind === "no-verdict")
    parts.push(verdict.reason === "timed-out" ? "It ran out of time." : "It came to no end that says anything.");
  return cutEnd(parts.join("\n\n"), MAX_WORDS);
}

async function newTests(files: readonly ChangedFile[], { parser }: PhaseContext): Promise<readonly NewTest[]> {
  const parsed = async (path: string, bytes: Uint8Array | undefined) => {
    const text = bytes && readText(bytes)?.lines.join("");
    return text === undefined ? undefined : { text, symbols: await parser.symbols(path, text) };
  };
  const found = files.map(async ({ path, before, after }) => {
    const now = await parsed(path, after);
    return now && (isTestPath(path) || path.endsWith(".rs")) ? newTestsOf(path, await parsed(path, before), now) : [];
  });
  return (await Promise.all(found)).flat();
}

/** The most files sent back to their Developers. */
const MAX_FILES = 3;

/** The files that the words name, else all changed program files; tests only if nothing else changed. */
function sentBack(command: string, words: string, files: readonly ChangedFile[]): readonly SentBack[] {
  const there = files.filter(({ after }) => after !== undefined).map(({ path }) => path);
  const programs = there.filter((path) => !isTestPath(path));
  const named = programs.filter((path) => words.includes(path));
  const [chosen = []] = [named, programs, there].filter((paths) => paths.length > 0);
  return chosen.slice(0, MAX_FILES).map((path) => ({
    path,
    title: "Make the check pass",
    description: [
      `The repository's check \`${command.replaceAll("`", "'")}\` was run on the change as it stands, which the file shows, and fails. It passes without the change. What it says:`,
      fenced(words, "log"),
      "Find out why, and mend it in this file as far as the fault is here; else change nothing and say so in the summary. Do not take anything from the tests.",
    ].join("\n\n"),
  }));
}
