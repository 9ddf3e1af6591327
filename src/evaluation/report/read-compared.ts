import { readFile } from "node:fs/promises";
import path from "node:path";
import { MagisError } from "../../model/magis-error.ts";
import { totalsOf } from "../measures/totals-of.ts";
import { openResultFolder } from "../results/open-result-folder.ts";
import type { ComparedResults } from "./report-facts.ts";

/** The totals of other folders of results, to stand beside this one's. Throws CONFIGURATION_INVALID for another folder. */
export async function readCompared(folders: readonly string[]): Promise<readonly ComparedResults[]> {
  return Promise.all(
    folders.map(async (folder) => {
      await readFile(path.join(folder, "evaluation.json")).catch((error: unknown) => {
        throw new MagisError("CONFIGURATION_INVALID", `There are no results of magis eval in ${folder}.`, {}, error);
      });
      const results = await openResultFolder(folder, {});
      const metrics = [...(await results.finished()).values()].map((one) => one.metrics);
      const totals = totalsOf(metrics, await results.grading());
      return { name: path.basename(path.resolve(folder)), configuration: results.configuration, totals };
    }),
  );
}
