import type { CheckStatus } from "./check-status.ts";

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
