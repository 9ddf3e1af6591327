import { access, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { instanceMetricsShape } from "../measures/instance-metrics.ts";
import type { FinishedInstance } from "./result-folder.ts";

const predictionShape = z.object({
  ...{ instance_id: z.string(), model_patch: z.string(), model_name_or_path: z.string() },
});

/** The instances whose files are all there and whole, by id; one that was interrupted is not. */
export async function readFinished(
  folder: string,
): Promise<ReadonlyMap<string, Pick<FinishedInstance, "prediction" | "metrics">>> {
  const finished = new Map<string, Pick<FinishedInstance, "prediction" | "metrics">>();
  for (const id of (await readdir(folder)).sort()) {
    try {
      const read = async (name: string) => JSON.parse(await readFile(path.join(folder, id, name), "utf8")) as unknown;
      await access(path.join(folder, id, "report.json"));
      const metrics = instanceMetricsShape.parse(await read("metrics.json"));
      finished.set(id, { prediction: predictionShape.parse(await read("prediction.json")), metrics });
    } catch {
      // It is not complete, and is run anew.
    }
  }
  return finished;
}
