/** A test that a change brings, by the names under which a runner tells of it. */
export interface NewTest {
  readonly path: string;
  /** what it stands in (`describe` blocks, classes, modules), outermost first */
  readonly within: readonly string[];
  /** as it stands in the file; placeholders of a table of cases stay in it */
  readonly name: string;
}

/** What is asked: does it pass without the change; does it fail with the new tests alone; does it pass with everything. */
export interface Question {
  readonly ask: "base" | "red" | "green";
  /** the tests that the change brings: by them a failure is known for the right one */
  readonly tests: readonly NewTest[];
}

/** Why something failed, as far as its words tell: on an assertion, or before it came to one. */
export type FailureCause = "assertion" | "error" | "import" | "syntax" | "set-up" | "time-out";

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
  readonly name: string;
  readonly state: "passed" | "failed" | "neutral" | "pending";
  readonly url?: string;
  /** how long it ran, where that is told */
  readonly seconds?: number;
  /** it failed on the new file alone and proves nothing against it: a linter, a type check */
  readonly excused?: true;
}

/** Why there is no verdict. `running` is the only one that another question may soon change. */
export type NoVerdictReason = "running" | "waiting" | "cancelled" | "timed-out" | "skipped" | "none" | "unreadable";

/** Why a failure is not the one that was looked for; `another-test`: one that the change did not bring. */
export type OtherReason = FailureCause | "another-test" | "unknown";

/** What came of a question. */
export type ProofVerdict = {
  readonly checks: readonly VerifiedCheck[];
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
