/** A line of a repository file that a log names. */
export interface LogPlace {
  path: string;
  line: number;
}

/** Identifies a check across commits. The name alone does not: anybody may give their check another's name. */
export interface CheckIdentity {
  name: string;
  /** the app that made it; absent for a commit status */
  app?: string | undefined;
  /** path of its workflow's file; absent when it is not a job of a workflow, or we may not read that */
  workflow?: string | undefined;
}

/** A check's key, the same on every commit. */
export const checkKey = ({ app = "", workflow = "", name }: CheckIdentity): string =>
  [app, workflow, name].join("\u0000");

/** A check's name for people, with its workflow or app when another check of `all` has the same name. */
export function checkTitle(check: CheckIdentity, all: readonly CheckIdentity[]): string {
  const { name, app = "commit status", workflow } = check;
  const isAlone = all.every((one) => one.name !== name || checkKey(one) === checkKey(check));
  return isAlone ? name : `${name} (${workflow ?? app})`;
}

/** The state of one check of a commit, as far as decisions need it. */
export interface CheckStatus extends CheckIdentity {
  /** neutral: it says nothing about the commit */
  state: "pending" | "passed" | "failed" | "neutral";
  /** it is neutral only because it was ended early */
  stopped?: boolean;
  /** made by the app itself */
  byApp: boolean;
}

export type Verdict = "none" | "pending" | "failed" | "green" | "unclear";

/**
 * The verdict of a commit's checks, without the app's own: `none` when there are none, `pending` while one is
 * unfinished, `failed` when one failed, `green` when at least one passed and none was stopped early; skipped checks do
 * not matter.
 */
export function judgeChecks(all: readonly CheckStatus[]): Verdict {
  const checks = all.filter(({ byApp }) => !byApp);
  if (checks.length === 0) return "none";
  if (checks.some(({ state }) => state === "pending")) return "pending";
  if (checks.some(({ state }) => state === "failed")) return "failed";
  const stopped = checks.some((check) => check.stopped === true);
  return !stopped && checks.some(({ state }) => state === "passed") ? "green" : "unclear";
}

/** Whether the same check has passed in `among`. */
export function hasPassed(check: CheckIdentity, among: readonly CheckStatus[]): boolean {
  const same = among.filter((one) => !one.byApp && checkKey(one) === checkKey(check));
  return same.length > 0 && same.every(({ state }) => state === "passed");
}

/**
 * What to do about the checks of the bot's pull request: repair it, say that they are green where it `awaitsGreen`, say
 * why they do not start, or nothing.
 */
export function callOf(
  checks: readonly (CheckStatus & { because?: string | undefined })[],
  { awaitsGreen }: { awaitsGreen: boolean },
): "failed" | "green" | "not-allowed" | undefined {
  const verdict = judgeChecks(checks);
  if (verdict === "failed" || (verdict === "green" && awaitsGreen)) return verdict;
  return checks.some(({ because }) => because === "not-allowed") ? "not-allowed" : undefined;
}

/** Failed checks, sorted by how they fare on the base commit. */
export interface Failures<T> {
  /** not red on the base, or not run there: the change's own failures */
  ours: readonly T[];
  /** red on the base commit too */
  theirs: readonly T[];
  /** those among `ours` that never passed on the base, such as checks that only run for pull requests */
  unknown: readonly T[];
  /** did not run on the base, and share the name of another app's check, so we cannot tell whose they are */
  foreign: readonly T[];
}

/** Sorts the failed checks of a head by how the same checks fared on its base commit. Leaves out the app's own. */
export function splitFailures<T extends CheckStatus>(head: readonly T[], base: readonly CheckStatus[]): Failures<T> {
  const failed = head.filter(({ byApp, state }) => !byApp && state === "failed");
  const before = base.filter(({ byApp }) => !byApp);
  const statesOf = (check: T) => before.filter((one) => checkKey(one) === checkKey(check)).map(({ state }) => state);
  const theirs = failed.filter((check) => statesOf(check).includes("failed"));
  const foreign = failed.filter((check) => statesOf(check).length === 0 && isForeign(check, { head, before }));
  const ours = failed.filter((check) => !theirs.includes(check) && !foreign.includes(check));
  return { ours, theirs, foreign, unknown: ours.filter((check) => !statesOf(check).includes("passed")) };
}

/**
 * Whether a check took another's name: that of one on the base no easier to forge, or of one beside it that is harder.
 */
function isForeign(
  check: CheckStatus,
  { head, before }: { head: readonly CheckStatus[]; before: readonly CheckStatus[] },
): boolean {
  const sharesName = (one: CheckStatus) => !one.byApp && one.name === check.name && one.app !== check.app;
  const hardness = hardnessOf(check);
  return (
    before.some((one) => sharesName(one) && hardnessOf(one) >= hardness) ||
    head.some((one) => sharesName(one) && hardnessOf(one) > hardness)
  );
}

/** The slug of GitHub Actions' app. */
export const ACTIONS = "github-actions";

/**
 * How hard a check is to forge: anybody with push access may set a commit status, a check run takes an app, and a job
 * of Actions is the repository's own.
 */
function hardnessOf({ app }: CheckIdentity): number {
  if (app === undefined) return 0;
  return app === ACTIONS ? 2 : 1;
}

/** A failed check with everything known about the failure. Untrusted text, hidden characters stripped. */
export interface FailedCheck {
  name: string;
  /** its own summary, or "" */
  summary: string;
  annotations: readonly {
    path: string;
    line: number;
    message: string;
  }[];
  /** the part of its log that shows the failure; "" when there is no log to read */
  log: string;
  /** lines of repository files that the log names */
  places: readonly LogPlace[];
  /** the runner's image and its version, when the log names them */
  image?: string | undefined;
}
