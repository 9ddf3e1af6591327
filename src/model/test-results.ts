import type { CheckIdentity } from "./checks.ts";
import type { FailureCause, NoVerdictReason, VerifiedCheck } from "./verdict.ts";

export type TestEnd = "passed" | "failed" | "skipped";

/** How many tests ended in each way. */
export type TestCounts = Readonly<Record<TestEnd, number>>;

/** A test, or a file of tests, that a log or a report says has failed. Its words are untrusted text. */
export interface ReportedFailure {
  /** in full; for a file that did not come to its tests, its path, or "" */
  readonly name: string;
  readonly path?: string;
  /** a whole file that did not come to its tests */
  readonly suite: boolean;
  readonly cause: FailureCause;
  /** the failing lines, cut; "" where only the name is told */
  readonly words: string;
  /** files that the stack names, the place of the failure first */
  readonly places: readonly string[];
}

/** What one summary counts: a step may run several programs, packages or modules, one after another. */
export interface TestsPart {
  readonly format: string;
  readonly counts: TestCounts;
}

/** What a runner, or its report, tells of the tests that it ran. */
export interface TestsRun {
  readonly from: "report" | "log";
  /** the runner, or the form of the report; compared between commits, never shown */
  readonly format: string;
  readonly counts: TestCounts;
  /** the summaries in their order, where there are several */
  readonly parts?: readonly TestsPart[];
  /** names that several tests have: a failure does not say which of them it is */
  readonly shared?: ReadonlySet<string>;
  /** assertions are counted and not tests */
  readonly assertions?: true;
  /** how every test ended, by name; absent: not all are named */
  readonly all?: ReadonlyMap<string, TestEnd>;
  readonly failures: readonly ReportedFailure[];
}

/** A step of a job. */
export interface RanStep {
  readonly name: string;
  readonly state: "passed" | "failed" | "neutral";
  /** absent: it does not tell which tests it ran, or does not tell it consistently */
  readonly tests?: TestsRun;
  /** what it tells of failures, whether or not it tells which tests it ran */
  readonly failures: readonly ReportedFailure[];
  /** why it did not come to its tests; absent: it does not say */
  readonly broken?: { readonly cause: FailureCause; readonly words: string };
  /** what it printed, cleaned */
  readonly lines: readonly string[];
}

/** A check of a commit. */
export interface RanJob extends CheckIdentity {
  /** its name for people, where another check has the same */
  readonly title?: string;
  readonly state: VerifiedCheck["state"];
  /** why it says nothing, or is pending for good */
  readonly because?: Exclude<NoVerdictReason, "running" | "none">;
  readonly url?: string;
  readonly seconds?: number;
  /** what it says of itself; "" when nothing */
  readonly summary: string;
  /** the machine's image and its version, where the log names them */
  readonly image?: string | undefined;
  /** absent: they were not read, or cannot be */
  readonly steps?: readonly RanStep[];
}

/** A report of test results among the artifacts of a workflow run. */
export interface RanReport {
  readonly workflow: string;
  /** of the artifact: by it a report is found again on another commit */
  readonly name: string;
  readonly tests: TestsRun;
}

/** What ran on a commit, as far as it was read. */
export interface CommitResults {
  readonly jobs: readonly RanJob[];
  readonly reports: readonly RanReport[];
  /** a workflow run, or another app's suite of checks, has not ended: more jobs may come */
  readonly unfinished: boolean;
}

export const NO_RESULTS: CommitResults = { jobs: [], reports: [], unfinished: false };

export const totalOf = ({ passed, failed, skipped }: TestCounts): number => passed + failed + skipped;
