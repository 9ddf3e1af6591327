/** A line of a file of the repository that a log names. */
export interface LogPlace {
  readonly path: string;
  readonly line: number;
}

/** How one check of a commit fared, as far as decisions need it. */
export interface CheckStatus {
  readonly name: string;
  /** neutral: it says nothing of the commit */
  readonly state: "pending" | "passed" | "failed" | "neutral";
  /** it is neutral only because somebody or something ended it early */
  readonly stopped?: boolean;
  /** made by the app itself */
  readonly byApp: boolean;
}

export type Verdict = "none" | "pending" | "failed" | "green" | "unclear";

/**
 * What the checks of a commit come to, the app's own left out: `none` when there are none, `pending` while one is
 * unfinished, `failed` when one failed. Green is a commit of which at least one check passed and none was stopped early;
 * skipped ones do not matter.
 */
export function judgeChecks(all: readonly CheckStatus[]): Verdict {
  const checks = all.filter(({ byApp }) => !byApp);
  if (checks.length === 0) return "none";
  if (checks.some(({ state }) => state === "pending")) return "pending";
  if (checks.some(({ state }) => state === "failed")) return "failed";
  const stopped = checks.some((check) => check.stopped === true);
  return !stopped && checks.some(({ state }) => state === "passed") ? "green" : "unclear";
}

/** Failed checks by what the base commit says of them. */
export interface Failures<T> {
  /** not red on the base: the change's own. Those that did not run on the base count as such */
  readonly ours: readonly T[];
  /** red on the base commit too */
  readonly theirs: readonly T[];
  /** names among `ours` that the base commit knows nothing of, as with checks that only run for pull requests */
  readonly unknown: readonly string[];
}

/** Sorts the failed checks of a head by how the checks of that name fared on its base commit. The app's own are left out. */
export function splitFailures<T extends CheckStatus>(head: readonly T[], base: readonly CheckStatus[]): Failures<T> {
  const failed = head.filter(({ byApp, state }) => !byApp && state === "failed");
  const onBase = new Map(base.filter(({ byApp }) => !byApp).map(({ name, state }) => [name, state]));
  const ours = failed.filter(({ name }) => onBase.get(name) !== "failed");
  return {
    ours,
    theirs: failed.filter(({ name }) => onBase.get(name) === "failed"),
    unknown: ours.filter(({ name }) => onBase.get(name) !== "passed").map(({ name }) => name),
  };
}

/** A failed check with all that is known of the failure. Untrusted text, hidden characters stripped. */
export interface FailedCheck {
  readonly name: string;
  /** what it says of itself, or "" */
  readonly summary: string;
  readonly annotations: readonly {
    readonly path: string;
    readonly line: number;
    readonly message: string;
  }[];
  /** the part of its log that tells the failure; "" when there is none to read */
  readonly log: string;
  /** lines of the repository's files that it names */
  readonly places: readonly LogPlace[];
  /** the machine's image and its version, where its log names them */
  readonly image?: string;
}
