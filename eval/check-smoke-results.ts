import { z } from "zod";
import type { SmokeFolder } from "./read-smoke-folders.ts";

const resultsShape = z.object({
  instances: z.array(
    z.object({
      id: z.string(),
      patch: z.object({ empty: z.boolean(), applied: z.boolean().nullable() }),
      resolved: z.boolean().nullable(),
      spend: z.object({ sequentialCalls: z.number() }),
    }),
  ),
});

/** The most calls one after another that a change without a second round may take. */
const MAX_SEQUENTIAL = 8;

/**
 * What of an evaluation's `results.json` is not as the scripted answers must make it, in sentences: every instance is
 * there, every change applies, and those are resolved that the answers resolve. Instances whose tools this machine
 * lacks are not graded, and not judged.
 */
export function checkSmokeResults(
  results: unknown,
  folders: readonly SmokeFolder[],
  mostSequential = MAX_SEQUENTIAL,
): string[] {
  const { instances } = resultsShape.parse(results);
  return folders.flatMap(({ instance, answers }) => {
    const id = instance.instance_id;
    const found = instances.find((one) => one.id === id);
    if (!found) return [`${id}: it is not in the results.`];
    const changes = Object.keys(answers.files).length > 0;
    const faults: string[] = [];
    if (found.patch.empty === changes) faults.push(`${id}: ${changes ? "no change came out" : "a change came out"}.`);
    if (changes && found.patch.applied !== true) faults.push(`${id}: its change does not apply.`);
    const expected = answers.expect === "resolved";
    if (found.resolved !== null && found.resolved !== expected) {
      faults.push(`${id}: it is ${found.resolved ? "" : "not "}resolved, and should ${expected ? "" : "not "}be.`);
    }
    if (found.spend.sequentialCalls > mostSequential) {
      faults.push(`${id}: ${found.spend.sequentialCalls} calls one after another.`);
    }
    return faults;
  });
}
