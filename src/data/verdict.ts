import { z } from "zod";

export const newTestShape = z.object({
  path: z.string(),
  /** the `describe` blocks, classes and modules around it, outermost first */
  within: z.array(z.string()).readonly(),
  /** as in the file; keeps the placeholders of a table of cases */
  name: z.string(),
  /** it existed before, with another text */
  before: z.literal(true).optional(),
  /** another name of the previous test in the list */
  also: z.literal(true).optional(),
  /** a string that may be a title, in the project's own test harness; the number of tests is unknown */
  loose: z.literal(true).optional(),
});

/** A test that a change adds or edits, with the names by which a runner reports it. */
export type NewTest = z.infer<typeof newTestShape>;

/** Does the base pass (`base`); do the new tests alone fail (`red`); does the whole change pass (`green`)? */
export interface Question {
  ask: "base" | "red" | "green";
  /** the change's tests: a right failure is one of theirs */
  tests: readonly NewTest[];
}

/**
 * Why something failed, as far as its output says. `crash`: the code under test threw; `error`: the test itself did.
 */
export type FailureCause = "assertion" | "crash" | "error" | "import" | "syntax" | "set-up" | "time-out";

/** A failed test. Its words are untrusted text, hidden characters stripped, cut to a few lines. */
export interface FailedTest {
  /** in full, as the runner prints it */
  name: string;
  /** the check or command that ran it */
  check: string;
  cause: FailureCause;
  words: string;
  /** the matching new test; absent for other tests */
  test?: NewTest;
}

/** A check that we looked at, or the check command: its state, and where people can read more. */
export interface VerifiedCheck {
  /** made unique with its app or workflow */
  name: string;
  /** the app that made it; absent for a command */
  app?: string;
  state: "passed" | "failed" | "neutral" | "pending";
  url?: string;
  /** how long it ran, if known */
  seconds?: number;
  /** a linter or type check that fails on the new file alone, which proves nothing */
  excused?: true;
}

/**
 * Why there is no verdict. Only `running` may soon change. From `unreported` on, the checks ran but do not say enough about
 * the tests.
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
  | "unreported"
  | "unreported-base"
  | "not-run"
  | "counts"
  | "elsewhere"
  | "other-image"
  | "rerun"
  | "lost";

/** Why a failure is not the expected one; `another-test`: not one of the change's tests. */
export type OtherReason = FailureCause | "another-test" | "unknown";

/** Both kinds of reasons in words, with the checks as their subject. */
export const REASON_WORDS: Readonly<Record<NoVerdictReason | OtherReason, string>> = {
  running: "they did not end",
  waiting: "they wait for somebody to approve them",
  cancelled: "they were cancelled",
  "timed-out": "they ran out of time",
  skipped: "they were skipped",
  none: "none ran",
  "not-allowed": "this app is not allowed to start workflows here",
  missing: "one that passed on the base did not run",
  unreported: "neither a report nor the log of a step tells which tests ran",
  "unreported-base": "neither a report nor a log tells which tests ran on the base",
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

/** Where the new tests ran, and how many tests ran there. */
export interface RanTests {
  /** the check, or the report among a workflow's artifacts */
  check: string;
  /** the step of the check; "" for a report */
  step: string;
  from: "report" | "log";
  /** on the base (`before`), and on the commit in question (`now`) */
  before: number;
  now: number;
}

/** Tests of one check or report that ran on the base and no longer run. */
export interface LostTests {
  check: string;
  before: number;
  now: number;
  /** the known names, only some when there are many */
  names: readonly string[];
}

/** The answer to a question. */
export type ProofVerdict = {
  checks: readonly VerifiedCheck[];
  /** for `right-red` and `green`: where the tests ran */
  ran?: readonly RanTests[];
  /** tests that no longer run */
  lost?: readonly LostTests[];
  /** names of checks that passed on the base and have not started, or never will */
  missing?: readonly string[];
} /** the new tests fail, on their assertions, and nothing else is newly red */ & (
  | { kind: "right-red"; tests: readonly FailedTest[] }
  /** something else fails */
  | {
      kind: "other-red";
      reason: OtherReason;
      check: string;
      /** the failed tests that could be identified, perhaps none */
      tests: readonly FailedTest[];
      /** the failing lines, cut; "" when there are none to read */
      words: string;
    }
  /** nothing fails although it should */
  | { kind: "not-red" }
  | { kind: "green" }
  | { kind: "no-verdict"; reason: NoVerdictReason }
);
