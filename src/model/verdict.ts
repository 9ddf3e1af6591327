/** A test that a change brings, by the names under which a runner tells of it. */
export interface NewTest {
  readonly path: string;
  /** what it stands in (`describe` blocks, classes, modules), outermost first */
  readonly within: readonly string[];
  /** as it stands in the file; placeholders of a table of cases stay in it */
  readonly name: string;
  /** it was there before, with another text */
  readonly before?: true;
  /** another name of the test before it in the list */
  readonly also?: true;
  /** a string that may be a title, in a harness of the project's own: how many tests there are is not known */
  readonly loose?: true;
}

/** What is asked: does it pass without the change; does it fail with the new tests alone; does it pass with everything. */
export interface Question {
  readonly ask: "base" | "red" | "green";
  /** the tests that the change brings: by them a failure is known for the right one */
  readonly tests: readonly NewTest[];
}

/** Why something failed, as far as its words tell. `crash`: the code under test threw; `error`: the test itself did. */
export type FailureCause = "assertion" | "crash" | "error" | "import" | "syntax" | "set-up" | "time-out";

/** A test that failed. Its words are untrusted text, hidden characters stripped, cut to a few lines. */
export interface FailedTest {
  /** in full, as the runner names it */
  readonly name: string;
  /** the check, or the command, that ran it */
  readonly check: string;
  readonly cause: FailureCause;
  readonly words: string;
  /** the new test that it is; absent: another one */
  readonly test?: NewTest;
}

/** A check that was looked at, or the command: how it fared, and where a person can read it. */
export interface VerifiedCheck {
  /** with what tells it from others of its name */
  readonly name: string;
  /** the app that made it; absent for a command */
  readonly app?: string;
  readonly state: "passed" | "failed" | "neutral" | "pending";
  readonly url?: string;
  /** how long it ran, where that is told */
  readonly seconds?: number;
  /** it failed on the new file alone and proves nothing against it: a linter, a type check */
  readonly excused?: true;
}

/**
 * Why there is no verdict. `running` is the only one that another question may soon change. From `untold` on the checks ran, and what they
 * tell of the tests is not enough.
 */
export type NoVerdictReason =
  | "running"
  | "waiting"
  | "not-allowed"
  | "cancelled"
  | "timed-out"
  | "skipped"
  | "none"
  | "missing"
  | "untold"
  | "untold-base"
  | "not-run"
  | "counts"
  | "elsewhere"
  | "other-image"
  | "rerun"
  | "lost";

/** Why a failure is not the one that was looked for; `another-test`: one that the change did not bring. */
export type OtherReason = FailureCause | "another-test" | "unknown";

/** Both kinds of reasons in words for people, with the checks as their subject. */
export const REASON_WORDS: Readonly<Record<NoVerdictReason | OtherReason, string>> = {
  running: "they did not end",
  waiting: "they wait for somebody to approve them",
  cancelled: "they were cancelled",
  "timed-out": "they ran out of time",
  skipped: "they were skipped",
  none: "none ran",
  "not-allowed": "this app is not allowed to start workflows here",
  missing: "one that passed on the base did not run",
  untold: "neither a report nor the log of a step tells which tests ran",
  "untold-base": "neither a report nor a log tells which tests ran on the base",
  "not-run": "the new test is not among those that ran",
  counts: "the numbers of tests that ran do not add up",
  elsewhere: "the step that ran the tests is not the same one",
  "other-image":
    "they ran on another image of the machine than on the base, and what fails names nothing that was changed",
  rerun: "those of the test alone, looked at again, do not show its failure any more",
  lost: "a test that ran before does not run any more",
  assertion: "an assertion fails",
  crash: "the code under test throws",
  error: "a test ends in an error",
  import: "an import is missing",
  syntax: "the code does not compile",
  "set-up": "the tests cannot be set up",
  "time-out": "a test times out",
  "another-test": "an existing test fails",
  unknown: "the log does not tell why",
};

/** Where the new tests were seen, and how many tests ran there. */
export interface RanTests {
  /** the check, or the report among a workflow's artifacts */
  readonly check: string;
  /** the step of the check; "" for a report */
  readonly step: string;
  readonly from: "report" | "log";
  /** on the base, and on the commit that was asked about */
  readonly before: number;
  readonly now: number;
}

/** Tests that ran before and do not run now, in one check or report. */
export interface LostTests {
  readonly check: string;
  readonly before: number;
  readonly now: number;
  /** those that could be told by name, some of them where they are many */
  readonly names: readonly string[];
}

/** What came of a question. */
export type ProofVerdict = {
  readonly checks: readonly VerifiedCheck[];
  /** of a right red and a green: where the tests ran */
  readonly ran?: readonly RanTests[];
  /** tests that do not run any more */
  readonly lost?: readonly LostTests[];
  /** names of checks that passed on the base and are not there yet, or never come */
  readonly missing?: readonly string[];
} /** the new tests fail, on their assertions, and nothing else is newly red */ & (
  | { readonly kind: "right-red"; readonly tests: readonly FailedTest[] }
  /** something fails, and it is not that */
  | {
      readonly kind: "other-red";
      readonly reason: OtherReason;
      readonly check: string;
      /** those that could be told apart; may be none */
      readonly tests: readonly FailedTest[];
      /** the failing words, cut; "" when there are none to read */
      readonly words: string;
    }
  /** nothing fails although it should */
  | { readonly kind: "not-red" }
  | { readonly kind: "green" }
  | { readonly kind: "no-verdict"; readonly reason: NoVerdictReason }
);
