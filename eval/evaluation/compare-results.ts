import { stat } from "node:fs/promises";
import path from "node:path";
import type { SourceParser } from "../../src/code/source-parser.ts";
import { MagisError } from "../../src/data/error.ts";
import type { Mirror } from "../mirror.ts";
import type { Instance } from "./instances.ts";
import { measurePatch, spendOfCalls } from "./measure-instance.ts";
import type { Grading } from "./measures/grading.ts";
import type { InstanceMetrics } from "./measures/metrics.ts";
import { type Totals, totalsOf } from "./measures/totals.ts";
import { type ComparedResults, nameOf } from "./report/tables.ts";
import { type Published, readPublished } from "./results/published.ts";
import { readResultFolder } from "./results/result-folder.ts";

/** What measuring others' patches needs. */
export interface PatchMeasuring {
  instances: readonly Instance[];
  mirrors: ReadonlyMap<string, Mirror>;
  parser: Pick<SourceParser, "symbols">;
}

/** The totals of others' results over these instances. */
export type Compare = (ids: readonly string[], measuring: PatchMeasuring | undefined) => Promise<ComparedResults[]>;

/**
 * Reads others' results: folders of `npm run eval`, and predictions and folders as the leaderboard publishes them. Gives
 * a function that measures them over the same instances. Throws CONFIGURATION_INVALID, also for predictions when
 * `measuring` (the reference changes and the repositories) is absent.
 */
export async function openCompared(places: readonly string[]): Promise<Compare> {
  const opened = await Promise.all(places.map(async (place) => ({ place, ...(await openOne(place)) })));
  return (ids, measuring) =>
    Promise.all(
      opened.map(async (one) => {
        if ("metrics" in one) {
          const own = one.metrics.filter(({ id }) => ids.includes(id));
          return { name: one.name, totals: totalsOf(own, one.grading) };
        }
        if (measuring) return comparedTo(one.published, ids, measuring);
        const sentence = `To measure the predictions in ${one.place}, name --instances and --mirrors.`;
        throw new MagisError("CONFIGURATION_INVALID", sentence);
      }),
    );
}

async function openOne(
  place: string,
): Promise<
  { name: string; metrics: readonly InstanceMetrics[]; grading: Grading | undefined } | { published: Published }
> {
  const isOurs = (await stat(path.join(place, "evaluation.json")).catch(() => undefined)) !== undefined;
  if (!isOurs) return { published: await readPublished(place) };
  const results = await readResultFolder(place);
  const metrics = [...(await results.finished()).values()].map((one) => one.metrics);
  const name = `${nameOf(results.configuration)} (${path.basename(path.resolve(place))})`;
  return { name, metrics, grading: await results.grading() };
}

/** An instance without a prediction has no change. Its calls, money and time are unknown. */
async function comparedTo(
  { name, patches, grading }: Published,
  ids: readonly string[],
  { instances, mirrors, parser }: PatchMeasuring,
): Promise<ComparedResults> {
  const metrics: InstanceMetrics[] = [];
  for (const instance of instances) {
    const mirror = mirrors.get(instance.repository);
    if (!mirror || !ids.includes(instance.id)) continue;
    metrics.push({
      ...(await measurePatch(instance, patches.get(instance.id) ?? "", { mirror, parser })),
      end: { kind: "published", reason: "" },
      recall: null,
      spend: spendOfCalls([], 0),
      check: null,
      correlation: null,
    });
  }
  const predicted = metrics.filter(({ id }) => patches.has(id)).length;
  const totals = totalsOf(metrics, grading);
  const unknown = Object.fromEntries(Object.keys(totals.spend).map((figure) => [figure, null]));
  const shown = predicted === metrics.length ? name : `${name} (predictions for ${predicted})`;
  return { name: shown, totals: { ...totals, spend: unknown as Totals["spend"] } };
}
