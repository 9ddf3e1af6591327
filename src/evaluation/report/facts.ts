import { readFile } from "node:fs/promises";
import path from "node:path";
import { MagisError } from "../../model/error.ts";
import type { Grading } from "../measures/grading.ts";
import type { InstanceMetrics } from "../measures/metrics.ts";
import { type Totals, totalsOf } from "../measures/totals.ts";
import { type Configuration, openResultFolder } from "../results/result-folder.ts";

/** Results of another folder, to stand beside these. */
export interface ComparedResults {
  readonly name: string;
  readonly configuration: Configuration;
  readonly totals: Totals;
}

/** All that a report is made of. */
export interface ReportFacts {
  /** ISO 8601: when the evaluation began, and when the report was made */
  readonly began: string;
  readonly made: string;
  readonly version: string;
  /** what it ran on, e.g. `Node 24.21.0` */
  readonly runtime: string;
  readonly commandLine: string;
  readonly configuration: Configuration;
  readonly metrics: readonly InstanceMetrics[];
  readonly totals: Totals;
  readonly grading: Grading | undefined;
  /** ids of instances that were asked for and are not finished, with the reason */
  readonly unfinished: ReadonlyMap<string, string>;
  /** US dollars of everything, attempts without a result and the judge included */
  readonly spent: number;
  readonly compared: readonly ComparedResults[];
}

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

/** What the report cannot say, a sentence each. */
export function notMeasured(facts: Pick<ReportFacts, "metrics" | "totals" | "grading" | "unfinished">): string[] {
  const { metrics, totals, grading, unfinished } = facts;
  const ungraded = metrics.filter(({ id }) => grading && !grading.has(id)).length;
  const unjudged = metrics.filter(({ correlation }) => correlation === null).length;
  const untold = metrics.filter(({ coverage }) => coverage.ratio === null).length;
  const nothing = metrics.filter(({ patch }) => patch.applied === null).length;
  const created = metrics.filter(({ recall }) => recall?.gold.length === 0).length;
  const said: (string | false)[] = [
    totals.resolved === null && "Resolved ratio: nothing was graded (`--grade` or `--results`).",
    totals.resolved !== null && ungraded > 0 && `Resolved ratio: the grader says nothing of ${times(ungraded)}.`,
    totals.recall === null && "Recall: the candidates were given, or no reference change has existing files.",
    totals.recall !== null &&
      created > 0 &&
      `Recall: ${times(created)} left out, whose reference changes no existing file.`,
    totals.correlation === null && "Task correlation: no judge was asked (`--judge`).",
    totals.correlation !== null &&
      unjudged > 0 &&
      `Task correlation: ${times(unjudged)} left out, without tasks or score.`,
    untold > 0 && `Line-locating coverage: ${times(untold)} left out, whose reference changes no existing line.`,
    nothing > 0 && `Applied ratio: ${times(nothing)} left out, where neither change nor reference is there.`,
    unfinished.size > 0 && `${times(unfinished.size)} not finished; the same command goes on with them.`,
    "The pull request's words and the publishing are no part of an evaluation; their cost is not in the figures.",
    "The evolution memory begins empty for each instance, so that none learns from another's future.",
  ];
  return said.filter((sentence) => sentence !== false);
}

const times = (count: number) => (count === 1 ? "1 instance" : `${count} instances`);
