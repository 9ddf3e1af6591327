import { readText } from "../../edits/text-file.ts";
import { fenced } from "../../llm/prompt-library.ts";
import type { IssueSnapshot } from "../../model/discussion.ts";
import type { MadePlan } from "../../model/plan.ts";
import type { RecordParts } from "../../model/run-record.ts";
import type { NewTest, ProofVerdict, Question } from "../../model/verdict.ts";
import type { Work } from "../../model/work.ts";
import type { Repository } from "../../ports/repository.ts";
import type { Verifier } from "../../ports/verifier.ts";
import { checkSentence } from "../../report/end-of-run.ts";
import { isTestPath } from "../../search/classify-file.ts";
import { newTestsOf } from "../../search/test-logs/new-tests.ts";
import { type ChangedFile, changedFiles } from "../change/working-copy.ts";
import type { PhaseRunner, PhaseTools } from "../run/phase-runner.ts";
import { keepChecks, reworkCode, type SentBack } from "../strategy/keep-checks.ts";

/** The command that a person lets check the change on their own machine. The server has none. */
export interface LocalCheck {
  /** as it is shown */
  readonly command: string;
  /** how often a failure goes back to the Developers */
  readonly rounds: number;
  /** ends what runs */
  readonly signal: AbortSignal;
  /** for the commit that the change is made on; throws CONFIGURATION_INVALID when it cannot be run as it has to be */
  open(repository: Repository): Verifier;
}

interface CheckInput {
  readonly base: { readonly commit: string };
  readonly issue: IssueSnapshot;
  readonly plan: MadePlan;
  readonly work: Work;
  readonly check: LocalCheck;
}

type Checked = RecordParts["check"];

/** The work as it is after the check, and how the check ended on it. */
export interface CheckedWork {
  readonly work: Work;
  readonly end: Checked["end"];
  /** the same for people, a sentence */
  readonly said: string;
}

/**
 * Has the command check finished work: on the base, which must pass; on the new tests alone, which must fail; on all, which
 * must pass. While that fails, its words go back to the Developers as a QA Engineer's would, and what they make is reviewed.
 */
export async function checkWork(run: PhaseRunner, input: CheckInput): Promise<CheckedWork> {
  const { base, issue, plan, check } = input;
  let { work } = input;
  let told: Checked | undefined;
  for (let round = 0; ; round++) {
    const since = work;
    const last = await run.phase(
      "code",
      base,
      (tools) => tryWork(tools, { since, check, told, round }),
      `check ${round}`,
    );
    told = last.told;
    const { back } = last;
    if (back.length === 0 || round >= check.rounds || work.stopped) break;
    const risen = { ...base, reds: round + 1 };
    const rework = async (tools: PhaseTools) => {
      const deps = { ...tools, issue, plan };
      return keepChecks(deps, await reworkCode(deps, since, back), { since });
    };
    work = await run.phase("code", risen, rework, `rework ${round + 1}`);
  }
  return { work, end: told.end, said: saidOf(told) };
}

/** What the command has said of the change, a sentence. */
export const saidOf = (check: Parameters<typeof checkSentence>[0]) => `The ${checkSentence(check)}.`;

interface Tried {
  readonly since: Work;
  readonly check: LocalCheck;
  /** what is known from the round before */
  readonly told: Checked | undefined;
  readonly round: number;
}

async function tryWork(
  tools: PhaseTools,
  { since, check, told, round }: Tried,
): Promise<{ told: Checked; back: readonly SentBack[] }> {
  const { repository, record, tracker } = tools;
  const { command, signal } = check;
  const verifier = check.open(repository);
  const files = await changedFiles(since.changes, repository);
  const tests = await newTests(files, tools);
  const verify = (ask: Question["ask"], some: readonly ChangedFile[]) =>
    verifier.verify(
      { base: repository.commit, files: some.map(({ path, after }) => ({ path, content: after ?? null })) },
      { ask, tests },
      signal,
    );
  // A verifier judges by what it has seen of the base, so that each round begins there.
  const onBase = await verify("base", []);
  if (onBase.kind !== "green") {
    const words = wordsOf(onBase);
    return keep({ command, base: endOf(onBase), rounds: round, end: "unknown", words }, []);
  }
  const own = files.filter(({ path }) => isTestPath(path));
  const alone = tests.length > 0 && own.length < files.length ? await verify("red", own) : undefined;
  const all = await verify("green", files);
  const end = endOf(all);
  const words = end === "red" ? wordsOf(all) : "";
  const part = { command, base: "green" as const, rounds: round, end, words, ...(alone && { tests: alone.kind }) };
  return keep(part, end === "red" ? sentBack(command, words, files) : []);

  async function keep(part: Checked, back: readonly SentBack[]) {
    const first = told?.first ?? (part.end === "red" ? part.words : undefined);
    const whole = { ...part, ...(first !== undefined && { first }) };
    await record("check", whole);
    await tracker.detail(checkSentence(whole));
    return { told: whole, back };
  }
}

function endOf({ kind }: ProofVerdict): Checked["end"] {
  if (kind === "green") return "green";
  return kind === "right-red" || kind === "other-red" ? "red" : "unknown";
}

const MAX_WORDS = 8_000;

/** What failed, in the command's own words. */
function wordsOf(verdict: ProofVerdict): string {
  const tests = "tests" in verdict ? verdict.tests : [];
  const parts = tests.map(({ name, words }) => `${name}\n${words}`);
  if (verdict.kind === "other-red" && !parts.some((part) => part.includes(verdict.words))) parts.push(verdict.words);
  if (verdict.kind === "no-verdict")
    parts.push(verdict.reason === "timed-out" ? "It ran out of time." : "It came to no end that says anything.");
  return parts.join("\n\n").slice(0, MAX_WORDS);
}

async function newTests(
  files: readonly ChangedFile[],
  { parser }: Pick<PhaseTools, "parser">,
): Promise<readonly NewTest[]> {
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

/** Files whose Developers are told, at most. */
const MAX_FILES = 3;

/** To those whose files the words name, else to all who changed the program; a test is the last that should change. */
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
