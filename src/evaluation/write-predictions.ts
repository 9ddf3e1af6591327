import type { Prediction, ResultFolder } from "./results/result-folder.ts";

/** Writes `predictions.jsonl`, a line for each finished instance, as the official harness reads it. */
export async function writePredictions(
  results: Pick<ResultFolder, "write">,
  predictions: readonly Prediction[],
): Promise<void> {
  await results.write("predictions.jsonl", predictions.map((one) => `${JSON.stringify(one)}\n`).join(""));
}
