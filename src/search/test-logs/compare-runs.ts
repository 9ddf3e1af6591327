import { type TestCounts, type TestsPart, type TestsRun, totalOf } from "../../model/test-results.ts";
import type { NoVerdictReason } from "../../model/verdict.ts";

const partsOf = ({ parts, format, counts }: TestsRun): readonly TestsPart[] => parts ?? [{ format, counts }];

/**
 * The part of the base's run that can be compared with a run that may have stopped early: Maven and cargo leave out the
 * modules and programs after the one that fails. The whole run unless the other one clearly stopped.
 */
export function comparablePart(before: TestsRun, now: TestsRun): TestsRun {
  if (!hasStopped(before, now)) return before;
  const parts = partsOf(before).slice(0, partsOf(now).length);
  const sum = (end: keyof TestCounts) => parts.reduce((total, { counts }) => total + counts[end], 0);
  return {
    ...before,
    format: [...new Set(parts.map(({ format }) => format))].sort().join(" + "),
    counts: { passed: sum("passed"), failed: sum("failed"), skipped: sum("skipped") },
    parts,
    all: undefined,
  };
}

/** Whether a run ends at its first failing part and matches the base's run up to there. */
function hasStopped(before: TestsRun, now: TestsRun): boolean {
  const whole = partsOf(before);
  const begun = partsOf(now);
  if (before.from !== now.from || begun.length >= whole.length) return false;
  return begun.every(({ format, counts }, at) => {
    const known = whole[at];
    if (known?.format !== format || totalOf(counts) < totalOf(known.counts)) return false;
    return at === begun.length - 1 ? counts.failed > 0 : counts.failed === 0;
  });
}

/**
 * Whether each failing part grew by at least as many tests as fail in it, except for `changed` tests, which may keep
 * their names. Parts that are equal in both runs may change places, since packages run side by side.
 */
export function growsWhereItFails(before: TestsRun, now: TestsRun, changed: number): boolean {
  const old = [...partsOf(before)];
  const others = partsOf(now).filter((part) => {
    const same = old.findIndex((one) => isSame(one, part));
    if (same >= 0) old.splice(same, 1);
    return same < 0;
  });
  let free = changed;
  return others.every(({ format, counts }, at) => {
    const known = old[at];
    if (counts.failed === 0) return true;
    if (known?.format !== format) return false;
    const beyond = counts.failed - (totalOf(counts) - totalOf(known.counts));
    free -= Math.max(0, beyond);
    return free >= 0;
  });
}

const isSame = (a: TestsPart, b: TestsPart) =>
  a.format === b.format &&
  a.counts.passed === b.counts.passed &&
  a.counts.failed === b.counts.failed &&
  a.counts.skipped === b.counts.skipped;

/**
 * Why the run with the fix is not the run without it with all tests passing; undefined if it is. If the run without the
 * fix stopped early, compares the parts it left out with the base: each may have up to `added` more tests.
 */
export function whyOtherTests(
  { before, red, green }: { readonly before: TestsRun; readonly red: TestsRun; readonly green: TestsRun },
  added: number,
): NoVerdictReason | undefined {
  if (green.from !== red.from || green.counts.failed > 0) return "counts";
  if (!hasStopped(before, red)) {
    if (green.format !== red.format) return "counts";
    if (green.counts.skipped > red.counts.skipped) return "not-run";
    return totalOf(green.counts) === totalOf(red.counts) ? undefined : "counts";
  }
  const begun = partsOf(red);
  const whole = partsOf(before);
  const now = partsOf(green);
  if (now.length !== whole.length) return now.length < whole.length ? "lost" : "counts";
  for (const [at, { format, counts }] of now.entries()) {
    const known = begun[at] ?? whole[at];
    if (known?.format !== format) return "counts";
    if (counts.skipped > known.counts.skipped) return "not-run";
    const more = totalOf(counts) - totalOf(known.counts);
    if (more < 0 || more > (at < begun.length ? 0 : added)) return "counts";
  }
  return undefined;
}
