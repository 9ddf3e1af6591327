import { join } from "node:path";
import pMap from "p-map";
import { z } from "zod";
import { gradeInstance } from "./grade-instance.ts";
import { instanceSchema } from "./instance-schema.ts";
import { readJsonLines } from "./read-json-lines.ts";

const predictionSchema = z.object({ instance_id: z.string(), model_patch: z.string().nullable() });

/** What the result file says of one instance. */
export interface PredictionResult {
  applied: boolean;
  resolved: boolean;
  skipped?: string;
}

/**
 * Grades the predictions of a JSONL file in SWE-bench's form, two at a time; gives the results by instance_id, in the
 * file's order. Throws for a prediction whose instance is not in the instances file, before anything is graded.
 */
export async function gradePredictions(files: {
  predictions: string;
  instances: string;
  /** the folder with OWNER__NAME.git for each repository */
  mirrors: string;
}): Promise<Record<string, PredictionResult>> {
  const instances = new Map(
    (await readJsonLines(files.instances, instanceSchema)).map((instance) => [instance.instance_id, instance]),
  );
  const jobs = (await readJsonLines(files.predictions, predictionSchema)).map(({ instance_id, model_patch }) => {
    const instance = instances.get(instance_id);
    if (instance === undefined) throw new Error(`${files.predictions}: ${files.instances} has no ${instance_id}`);
    const mirror = join(files.mirrors, `${instance.repo.replace("/", "__")}.git`);
    return { instance, mirror, modelPatch: model_patch ?? "" };
  });
  const results = await pMap(
    jobs,
    async (job) => {
      const { applied, resolved, skipped } = await gradeInstance(job);
      return [job.instance.instance_id, { applied, resolved, skipped }] as const;
    },
    { concurrency: 2 },
  );
  return Object.fromEntries(results);
}
