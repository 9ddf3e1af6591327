import type { CheckIdentity } from "./checks.ts";
import type { FailureCause, NoVerdictReason, VerifiedCheck } from "./verdict.ts";

export type TestEnd = "passed" | "failed" | "skipped";

/** How many tests ended in each way. */
export type TestCounts = Readonly<Record<TestEnd, number>>;

/** A failed test or test file, according to a log or report. Its words are untrusted text. */
export interface ReportedFailure {
  /** in full; for a file that never reached its tests, its path, or "" */
  name: string;
  path?: string;
  /** a whole file that never reached its tests */
  suite: boolean;
  cause: FailureCause;
  /** the failing lines, cut; "" when only the name is known */
  words: string;
  /** files in the stack trace, the place of the failure first */
  places: readonly string[];
}

/** One summary's counts: a step may run several programs, packages or modules. */
export interface TestsPart {
  format: string;
  counts: TestCounts;
}

/** The tests that a runner ran, according to its log or report. */
export interface TestsRun {
  from: "report" | "log";
  /** the runner, or the report's format; compared between commits, never shown */
  format: string;
  counts: TestCounts;
  /** the summaries in order, when there are several */
  parts?: readonly TestsPart[];
  /** names that several tests share, so that a failure does not say which one failed */
  shared?: ReadonlySet<string>;
  /** each test's end by name; absent when not all tests are named */
  all?: ReadonlyMap<string, TestEnd>;
  failures: readonly ReportedFailure[];
}

/** A step of a job. */
export interface RanStep {
  name: string;
  state: "passed" | "failed" | "neutral";
  /** absent when its log does not say which tests ran, or contradicts itself */
  tests?: TestsRun;
  /** the failures in its log, whether or not it says which tests ran */
  failures: readonly ReportedFailure[];
  /** why it never reached its tests, if it says so */
  broken?: { cause: FailureCause; words: string };
  /** its output, cleaned */
  lines: readonly string[];
}

/** A check of a commit. */
export interface RanJob extends CheckIdentity {
  /** its name for people, when another check has the same name */
  title?: string;
  state: VerifiedCheck["state"];
  /** why it gives no verdict, or will stay pending */
  because?: Exclude<NoVerdictReason, "running" | "none">;
  url?: string;
  seconds?: number;
  /** its own summary, or "" */
  summary: string;
  /** the runner's image and its version, when the log names them */
  image?: string | undefined;
  /** absent when not read or unreadable */
  steps?: readonly RanStep[];
}

/** A report of test results among the artifacts of a workflow run. */
export interface RanReport {
  workflow: string;
  /** the artifact's name, which identifies the report on another commit */
  name: string;
  tests: TestsRun;
}

/** What ran on a commit, as far as we read it. */
export interface CommitResults {
  jobs: readonly RanJob[];
  reports: readonly RanReport[];
  /** a workflow run or another app's check suite has not ended, so more jobs may come */
  unfinished: boolean;
}

export const NO_RESULTS: CommitResults = { jobs: [], reports: [], unfinished: false };

export const totalOf = ({ passed, failed, skipped }: TestCounts): number => passed + failed + skipped;
