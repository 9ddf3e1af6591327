import {
  causeOf,
  type FailedTest,
  type NewTest,
  type NoVerdictReason,
  type OtherReason,
  type ProofVerdict,
  type Question,
  type VerifiedCheck,
} from "../../model/verdict.ts";
import { isTestPath } from "../classify-file.ts";
import { isSameFile, wordsOf } from "./clean-log.ts";
import { findTest } from "./new-tests.ts";
import { type LoggedFailure, type LogReading, readTestLog } from "./read-test-log.ts";

/** A check of a commit with all that is known of it. */
export interface EndedCheck extends Omit<VerifiedCheck, "excused"> {
  /** why it says nothing, or is pending for good: ended early, waiting for a person */
  readonly because?: Exclude<NoVerdictReason, "running" | "none" | "unreadable">;
  /** how the check of that name fared on the base commit; absent: it did not run there */
  readonly onBase?: VerifiedCheck["state"];
  /** of a failed one: its log, "" when there is none to read, and what it says beside it */
  readonly log?: string;
  readonly summary?: string;
  readonly annotations?: readonly { readonly path: string; readonly message: string }[];
}

/**
 * Answers a question from how the checks of a commit, or one command, have ended. Pure. Only a failure proves something: what was cancelled, timed out,
 * skipped or waits for a person does not, and what was red on the base already is nobody's news.
 */
export function judgeEnded(all: readonly EndedCheck[], question: Question, files: readonly string[]): ProofVerdict {
  const unjudged = all.map(shown);
  const pending = all.filter(({ state }) => state === "pending");
  if (pending.length > 0) {
    const waits = pending.every(({ because }) => because === "waiting");
    return { kind: "no-verdict", reason: waits ? "waiting" : "running", checks: unjudged };
  }
  const news = all.filter(
    ({ state, onBase }) => state === "failed" && (question.ask === "base" || onBase !== "failed"),
  );
  const judged = news.map((check) => ({ check, ...judgeCheck(check, question, files) }));
  const excused = new Set(judged.filter(({ kind }) => kind === "excused").map(({ check }) => check.name));
  const checks = unjudged.map((check) => (excused.has(check.name) ? { ...check, excused: true as const } : check));
  const other = judged.find(({ kind }) => kind === "other");
  if (other)
    return {
      ...{ kind: "other-red", check: other.check.name, checks },
      ...{ reason: other.reason ?? "unknown", tests: other.tests, words: other.words },
    };
  const right = judged.filter(({ kind }) => kind === "right");
  if (right.length > 0) return { kind: "right-red", tests: distinct(right.flatMap(({ tests }) => tests)), checks };
  const silent = whySilent(all, question);
  if (silent) return { kind: "no-verdict", reason: silent, checks };
  return question.ask === "red" ? { kind: "not-red", checks } : { kind: "green", checks };
}

const shown = ({ name, state, url, seconds }: EndedCheck): VerifiedCheck => ({
  ...{ name, state },
  ...(url && { url }),
  ...(seconds !== undefined && { seconds }),
});

/** Why checks of which none has failed do not say that all is well; undefined when they do. */
function whySilent(all: readonly EndedCheck[], { ask }: Question): NoVerdictReason | undefined {
  if (all.length === 0) return "none";
  const stopped = all.find(({ because }) => because === "cancelled" || because === "timed-out");
  if (stopped) return stopped.because;
  const missed = all.some(({ because, onBase }) => because === "skipped" && onBase === "passed");
  if (ask !== "base" && missed) return "skipped";
  const ran = all.some(({ state, onBase }) => state === "passed" && (ask === "base" || onBase === "passed"));
  if (ran) return undefined;
  return all.some(({ because }) => because === "skipped") ? "skipped" : "none";
}

/** The same test in several jobs is one. */
function distinct(tests: readonly FailedTest[]): readonly FailedTest[] {
  const same = (a: FailedTest, b: FailedTest) => a.test === b.test && a.words === b.words && a.check === b.check;
  return tests.filter((one, at) => tests.findIndex((other) => same(one, other)) === at).slice(0, 40);
}

interface Judged {
  readonly kind: "right" | "other" | "excused";
  readonly reason?: OtherReason;
  readonly tests: readonly FailedTest[];
  readonly words: string;
}

const RIGHT: ReadonlySet<string> = new Set(["assertion", "crash"]);

function judgeCheck(check: EndedCheck, { tests, ask }: Question, files: readonly string[]): Judged {
  const { name, log = "", annotations = [], summary = "" } = check;
  const reading = readTestLog(log);
  const told = failuresOf(reading, annotations, tests);
  const failed = told.map((failure) => asFailed(failure, name, tests));
  const ours = failed.filter(({ test }) => test !== undefined);
  const others = failed.filter(({ test }) => test === undefined);
  const suite = told.find((one) => one.suite && tests.some(({ path }) => one.path && isSameFile(path, one.path)));
  const end = wordsOf(reading.lines.slice(-14)) || summary.slice(0, 1_000);
  const other = (reason: OtherReason, words: string): Judged => ({ kind: "other", reason, tests: failed, words });
  if (suite) return other(suite.cause, suite.words);
  if (others.length > 0) {
    const first = others.find(({ cause }) => !RIGHT.has(cause)) ?? others[0];
    const whole = told.find((one) => one.suite && one.name === first?.name);
    return other(
      whole || first?.cause === "set-up" ? (first?.cause ?? "unknown") : "another-test",
      first?.words || first?.name || "",
    );
  }
  const wrong = ours.find(({ cause }) => !RIGHT.has(cause));
  if (wrong) return other(wrong.cause, wrong.words);
  if (ours.length > 0) {
    // What did not run on the base may have been red there.
    const known = ask !== "red" || check.onBase === "passed";
    return { kind: known ? "right" : "excused", tests: ours, words: "" };
  }
  if (ask === "red" ? isExcused(check, reading, files) : ask === "green" && check.onBase !== "passed")
    return { kind: "excused", tests: [], words: "" };
  return reading.broken ? other(reading.broken.cause, reading.broken.words) : other("unknown", end);
}

const LINTER =
  /lint|format|\bfmt\b|style|prettier|biome|\bruff\b|\bblack\b|flake8|mypy|pyright|type.?check|\btypes?\b|\btsc\b|clippy|golangci|\bvet\b|spotless|rubocop|phpstan|psalm|phpcs|pre-commit|static|detekt|quality|analy[sz]/i;

/** What counts, gathers or formalises the results of others. */
const GATHERS =
  /codecov|coverall|coverage|sonar|\b(?:all|ci|build|tests?)?[ _-]?(?:success|ok|passed|green|gate|status|complete|conclusion|result|done|required|summary)\b|^required|commit.?lint|\bdco\b|\bcla\b|title|semantic|changelog|changeset|danger|label/i;

/** A check that runs no test and fails on the new files alone, or that counts the results of others, or was never green. */
function isExcused(check: EndedCheck, reading: LogReading, files: readonly string[]): boolean {
  const { name, annotations = [], onBase } = check;
  if (reading.formats.length > 0) return false;
  if (onBase !== "passed") return true;
  if (GATHERS.test(name) && reading.broken === undefined) return true;
  if (!LINTER.test(name)) return false;
  const isNew = (path: string) => files.some((file) => isSameFile(file, path));
  const noted = annotations.filter(({ path }) => !path.startsWith(".github"));
  if (noted.length > 0) return noted.every(({ path }) => isNew(path));
  return reading.lines.some((line) => files.some((file) => line.includes(file)));
}

function asFailed(failure: LoggedFailure, check: string, tests: readonly NewTest[]): FailedTest {
  const { name, path, words, suite } = failure;
  const test = suite ? undefined : findTest(tests, { name, path });
  return { name: name.slice(0, 300), check, cause: thrownBy(failure, tests), words, ...(test && { test }) };
}

/** An error whose stack begins in a source is that of the code under test; one that begins in a test is the test's own. */
function thrownBy({ cause, places }: LoggedFailure, tests: readonly NewTest[]): FailedTest["cause"] {
  const [first] = places;
  if (cause !== "error" || first === undefined) return cause;
  return isTestPath(first.replace(/^\//, "")) || tests.some(({ path }) => isSameFile(path, first)) ? "error" : "crash";
}

/** What the log tells; where it tells of no test in a known form: what the annotations do, or lines that name a new test. */
function failuresOf(
  { failures, lines, broken }: LogReading,
  annotations: NonNullable<EndedCheck["annotations"]>,
  tests: readonly NewTest[],
): readonly LoggedFailure[] {
  if (failures.length > 0) return failures;
  const noted = annotations.flatMap(({ path, message }) => {
    const test = tests.find((one) => isSameFile(one.path, path) && message.includes(one.name));
    return test ? [named(test, message.split("\n"))] : [];
  });
  if (noted.length > 0) return noted;
  return tests.flatMap((test) => {
    const at = lines.findIndex(
      (line, index) =>
        test.name.length > 4 &&
        line.includes(test.name) &&
        FAILS.test(`${lines[index - 1] ?? ""} ${line} ${lines[index + 1] ?? ""}`),
    );
    return at < 0 || broken?.cause === "syntax" ? [] : [named(test, lines.slice(at, at + 12))];
  });
}

const FAILS = /\bfail(?:ed|ure|s)?\b|\berror\b|✗|✕|✘|×|⨯|\bnot ok\b|\[E\]|assert/i;

function named(test: NewTest, lines: readonly string[]): LoggedFailure {
  const words = wordsOf(lines);
  const name = [...test.within, test.name].join(" ");
  return { name, path: test.path, suite: false, cause: causeOf(words) ?? "error", words, places: [] };
}
