/** A line of a file of the repository that a log names. */
export interface LogPlace {
  readonly path: string;
  readonly line: number;
}

/** By which a check is found again on another commit. Anybody may give a check of theirs the name of another's. */
export interface CheckIdentity {
  readonly name: string;
  /** the app that made it; absent for a commit status */
  readonly app?: string | undefined;
  /** path of its workflow's file; absent for what is no job of a workflow, or may not be read as one */
  readonly workflow?: string | undefined;
}

/** The same for the same check of any commit. */
export const checkKey = ({ app = "", workflow = "", name }: CheckIdentity): string =>
  [app, workflow, name].join("\u0000");

/** A check's name for people: where another of `all` has it too, with what tells them apart. */
export function checkTitle(check: CheckIdentity, all: readonly CheckIdentity[]): string {
  const { name, app = "commit status", workflow } = check;
  const isAlone = all.every((one) => one.name !== name || checkKey(one) === checkKey(check));
  return isAlone ? name : `${name} (${workflow ?? app})`;
}

/** How one check of a commit fared, as far as decisions need it. */
export interface CheckStatus extends CheckIdentity {
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

/** Whether a check of another commit, or of an earlier look, has passed among these. */
export function hasPassed(check: CheckIdentity, among: readonly CheckStatus[]): boolean {
  const same = among.filter((one) => !one.byApp && checkKey(one) === checkKey(check));
  return same.length > 0 && same.every(({ state }) => state === "passed");
}

/** What the checks of the bot's pull request call for, if anything: a repair, to be taken out of draft, or that it is said why they do not start. */
export function callOf(
  checks: readonly (CheckStatus & { readonly because?: string | undefined })[],
  { draft }: { readonly draft: boolean },
): "failed" | "green" | "not-allowed" | undefined {
  const verdict = judgeChecks(checks);
  if (verdict === "failed" || (verdict === "green" && draft)) return verdict;
  return checks.some(({ because }) => because === "not-allowed") ? "not-allowed" : undefined;
}

/** Failed checks by what the base commit says of them. */
export interface Failures<T> {
  /** not red on the base: the change's own. Those that did not run on the base count as such */
  readonly ours: readonly T[];
  /** red on the base commit too */
  readonly theirs: readonly T[];
  /** those among `ours` that the base commit knows nothing of, as with checks that only run for pull requests */
  readonly unknown: readonly T[];
  /** did not run on the base, and have the name of another app's check: whose they are cannot be told */
  readonly foreign: readonly T[];
}

/** Sorts the failed checks of a head by how the same checks fared on its base commit. The app's own are left out. */
export function splitFailures<T extends CheckStatus>(head: readonly T[], base: readonly CheckStatus[]): Failures<T> {
  const failed = head.filter(({ byApp, state }) => !byApp && state === "failed");
  const before = base.filter(({ byApp }) => !byApp);
  const statesOf = (check: T) => before.filter((one) => checkKey(one) === checkKey(check)).map(({ state }) => state);
  const theirs = failed.filter((check) => statesOf(check).includes("failed"));
  const foreign = failed.filter((check) => statesOf(check).length === 0 && isForeign(check, { head, before }));
  const ours = failed.filter((check) => !theirs.includes(check) && !foreign.includes(check));
  return { ours, theirs, foreign, unknown: ours.filter((check) => !statesOf(check).includes("passed")) };
}

/** Whether a check has another's name: of one on the base that is as hard to feign, or of one beside it that is harder. */
function isForeign(
  check: CheckStatus,
  { head, before }: { readonly head: readonly CheckStatus[]; readonly before: readonly CheckStatus[] },
): boolean {
  const hasName = (one: CheckStatus) => !one.byApp && one.name === check.name && one.app !== check.app;
  const hardness = hardnessOf(check);
  return (
    before.some((one) => hasName(one) && hardnessOf(one) >= hardness) ||
    head.some((one) => hasName(one) && hardnessOf(one) > hardness)
  );
}

/** GitHub's own app. */
export const ACTIONS = "github-actions";

/** Everybody who may push may set a commit status; a check run takes an app; a job of Actions is the repository's own. */
function hardnessOf({ app }: CheckIdentity): number {
  if (app === undefined) return 0;
  return app === ACTIONS ? 2 : 1;
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
  readonly image?: string | undefined;
}
