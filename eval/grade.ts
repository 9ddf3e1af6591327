// Grades predictions on the smoke instances:
//   node build/eval/grade.js --instances FILE --mirrors DIR [--output FILE] PREDICTIONS
// Writes { instance_id: { applied, resolved } } as JSON to the output file, else to standard output. Instances whose tools
// this machine lacks are named on standard error and left out: they are neither resolved nor not.
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { leaveNothing } from "../test/leave-nothing/leave-nothing.ts";
import { gradePredictions } from "./grade-predictions.ts";

await leaveNothing("grade");

const USAGE = "usage: grade --instances FILE --mirrors DIR [--output FILE] PREDICTIONS";

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { instances: { type: "string" }, mirrors: { type: "string" }, output: { type: "string" } },
  });
  const { instances, mirrors, output } = values;
  const [predictions, ...more] = positionals;
  if (!instances || !mirrors || !predictions || more.length > 0) throw new Error(USAGE);
  const results = await gradePredictions({ predictions, instances, mirrors });
  const graded = Object.entries(results).filter(([id, { skipped }]) => {
    if (skipped !== undefined) console.error(`${id}: ${skipped}`);
    return skipped === undefined;
  });
  const json = `${JSON.stringify(Object.fromEntries(graded), null, 2)}\n`;
  if (output) await writeFile(output, json);
  else process.stdout.write(json);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
