import { randomUUID } from "node:crypto";
import { appendFileSync, chmodSync } from "node:fs";
import { access, mkdir, readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { MagisError } from "../../../src/data/error.ts";
import { writeWhole } from "../../../src/data/write-whole.ts";
import type { RunReport } from "../../../src/run/runs.ts";
import { type Grading, parseGrading } from "../measures/grading.ts";
import { type InstanceMetrics, instanceMetricsShape } from "../measures/metrics.ts";

/** A line of `predictions.jsonl`, in SWE-bench's format. */
export interface Prediction {
  instance_id: string;
  model_patch: string;
  model_name_or_path: string;
}

/** The settings that decide the results, as plain values, so that two evaluations can be compared. */
export type Configuration = Readonly<Record<string, unknown>>;

/** Everything that is kept of a finished instance. */
export interface FinishedInstance {
  prediction: Prediction;
  report: RunReport;
  metrics: InstanceMetrics;
}

/** Which predictions were graded. */
export type GradedAs = "grading" | "grading-unchecked";

/** The folder of one evaluation's results. Its files are whole, whenever the process is killed. */
export interface ResultFolder {
  folder: string;
  /** of MAGIS, when the evaluation began */
  version: string;
  /** ISO 8601: when the evaluation began */
  began: string;
  configuration: Configuration;
  ledger: Ledger;
  /** The complete instances, by id. */
  finished(): Promise<ReadonlyMap<string, Pick<FinishedInstance, "prediction" | "metrics">>>;
  keep(instance: FinishedInstance): Promise<void>;
  /** Of the predictions, or of those before checks changed them. */
  grading(which?: GradedAs): Promise<Grading | undefined>;
  keepGrading(grading: Grading, which?: GradedAs): Promise<void>;
  /** Writes a file of the report. */
  write(name: string, content: string): Promise<void>;
}

const FORMAT = 1;

const identityShape = z.object({
  format: z.literal(FORMAT),
  began: z.string(),
  version: z.string(),
  configuration: z.record(z.string(), z.unknown()),
});

type Identity = z.output<typeof identityShape>;

/** What an evaluation wants its results to have been made by. */
export type WantedResults = Omit<Identity, "format">;

/** Opens the results that are in `folder`. Throws CONFIGURATION_INVALID where there are none. */
export async function readResultFolder(folder: string): Promise<ResultFolder> {
  const known = await readIdentity(folder);
  if (!known) throw refusal(`There are no results of an evaluation in ${folder}.`);
  return resultsIn(folder, known);
}

/**
 * Goes on with the results in `folder`, or begins them.
 * Throws CONFIGURATION_INVALID for a folder with other things in it, and for results of another configuration.
 */
export async function goOnWithResults(folder: string, wanted: WantedResults): Promise<ResultFolder> {
  const known = await readIdentity(folder);
  if (!known) return beginResults(folder, wanted);
  compare(known.configuration, wanted.configuration, folder);
  return resultsIn(folder, known);
}

/** Throws away the results in `folder` and begins anew. Throws CONFIGURATION_INVALID when other things are in it. */
export async function beginResults(folder: string, wanted: WantedResults): Promise<ResultFolder> {
  await makeEmpty(folder, (await readIdentity(folder)) !== undefined);
  const identity: Identity = { format: FORMAT, ...wanted };
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeWhole(path.join(folder, "evaluation.json"), json(identity));
  return resultsIn(folder, identity);
}

async function resultsIn(folder: string, identity: Identity): Promise<ResultFolder> {
  await mkdir(path.join(folder, "instances"), { recursive: true, mode: 0o700 });
  const place = (name: string) => path.join(folder, name);
  return {
    folder,
    version: identity.version,
    began: identity.began,
    configuration: identity.configuration,
    ledger: await openLedger(place("ledger.jsonl")),
    finished: () => readFinished(place("instances")),
    async keep({ prediction, report, metrics }) {
      const own = path.join(folder, "instances", metrics.id);
      await mkdir(own, { recursive: true, mode: 0o700 });
      await writeWhole(path.join(own, "prediction.json"), json(prediction));
      await writeWhole(path.join(own, "report.json"), json(report));
      // Last: metrics make an instance complete.
      await writeWhole(path.join(own, "metrics.json"), json(metrics));
    },
    async grading(which = "grading") {
      const written = await readFile(place(`${which}.json`), "utf8").catch(() => undefined);
      return written === undefined ? undefined : parseGrading(written, []);
    },
    keepGrading: (grading, which = "grading") => writeWhole(place(`${which}.json`), json(Object.fromEntries(grading))),
    write: (name, content) => writeWhole(place(name), content),
  };
}

const json = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`;

const refusal = (sentence: string) => new MagisError("CONFIGURATION_INVALID", sentence);

async function readIdentity(folder: string): Promise<Identity | undefined> {
  try {
    return identityShape.safeParse(JSON.parse(await readFile(path.join(folder, "evaluation.json"), "utf8"))).data;
  } catch {
    return undefined;
  }
}

function compare(before: Configuration, now: Configuration, folder: string): void {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  const text = (value: unknown) => JSON.stringify(value ?? null);
  const changed = names
    .filter((name) => text(before[name]) !== text(now[name]))
    .map((name) => `${name} was ${text(before[name])} and is ${text(now[name])}`);
  if (changed.length === 0) return;
  const way = "Take another --output, or --fresh to throw those results away.";
  throw refusal(`The results in ${folder} were made in another way: ${changed.join("; ")}. ${way}`);
}

/** Empties a folder of results; a folder with anything else in it is left alone. */
async function makeEmpty(folder: string, ours: boolean): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const names = await readdir(folder);
  if (names.length > 0 && !ours) throw refusal(`${folder} is not empty, and no results of an evaluation are in it.`);
  const own = names.filter((name) =>
    /^(instances|(ledger|memory)\.jsonl|(evaluation|grading|grading-unchecked|results)\.json)$/.test(name),
  );
  const made = names.filter((name) => /^(predictions(?:-unchecked)?\.jsonl|report\.md|[\w-]+\.svg)$/.test(name));
  // Last: the mark that these files are ours.
  own.sort((a, b) => Number(a === "evaluation.json") - Number(b === "evaluation.json"));
  for (const name of [...made, ...own]) await rm(path.join(folder, name), { recursive: true, force: true });
}

const predictionShape = z.object({
  instance_id: z.string(),
  model_patch: z.string(),
  model_name_or_path: z.string(),
});

/** The instances whose files are all there and whole, by id. */
async function readFinished(
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
      // Incomplete: it runs again.
    }
  }
  return finished;
}

const line = z.object({ id: z.string().default(""), attempt: z.string(), money: z.number().nonnegative() });

/** What an evaluation has cost so far, unfinished attempts included. */
interface Ledger {
  /** US dollars of all attempts so far */
  spent(): number;
  /** Begins an attempt; call the function it gives with the attempt's cost so far, in US dollars. */
  begin(id: string): (money: number) => void;
}

/**
 * A ledger in `file`, one JSON line a change, so that a killed process loses nothing. A line that was cut off is skipped.
 */
export async function openLedger(file: string): Promise<Ledger> {
  const written = await readFile(file, "utf8").catch(() => "");
  const attempts = new Map<string, number>();
  for (const one of written.split("\n")) {
    const entry = entryOf(one);
    if (entry) attempts.set(entry.attempt, entry.money);
  }
  // Another program may have made it readable by everybody.
  if (written !== "") chmodSync(file, 0o600);
  // End a line that was cut off, so that the next one is whole.
  if (written !== "" && !written.endsWith("\n")) appendFileSync(file, "\n");
  const write = (id: string, attempt: string, money: number): void => {
    attempts.set(attempt, money);
    appendFileSync(file, `${JSON.stringify({ id, attempt, money })}\n`, { mode: 0o600 });
  };
  return {
    spent: () => [...attempts.values()].reduce((sum, money) => sum + money, 0),
    begin(id) {
      const attempt = randomUUID();
      return (money) => write(id, attempt, money);
    },
  };
}

function entryOf(written: string): z.output<typeof line> | undefined {
  try {
    return line.safeParse(JSON.parse(written)).data;
  } catch {
    return undefined;
  }
}
