import type { ProofVerdict, RanTests } from "../../model/verdict.ts";

/** How many tests ran on each commit, where the new ones were seen. */
export function numbersOf(red: ProofVerdict, green: ProofVerdict): string {
  return (red.ran ?? []).map((one) => numbersIn(one, green.ran ?? [])).join(" ");
}

function numbersIn({ check, step, from, before, now }: RanTests, green: readonly RanTests[]): string {
  const fix = green.find((one) => one.check === check && one.step === step);
  const where = from === "report" ? `the report "${check}"` : `"${step}" of ${check}`;
  return `By ${where}, ${before} tests ran before, ${now} with the test alone${fix ? ` and ${fix.now} with the fix` : ""}.`;
}
