import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { MagisError } from "../../../src/data/error.ts";
import { LONGEST_PATCH } from "../../../src/text/bounded.ts";
import type { Grading } from "../measures/grading.ts";

/** What another system has published: its patches, and what the harness said of them. */
export interface Published {
  name: string;
  /** by instance; "" for no change, and for one that is too long to be read */
  patches: ReadonlyMap<string, string>;
  /** undefined: nothing was published */
  grading: Grading | undefined;
}

/** Bytes of a file of predictions or results. */
const LARGEST = 256 * 1024 * 1024;

const predictionShape = z.looseObject({ instance_id: z.string(), model_patch: z.string().nullish() });

/**
 * Reads SWE-bench predictions: a `.jsonl` or `.json` file, or a folder as the leaderboard's experiments have it, with
 * `all_preds.jsonl` (or `preds.json`), or a `patch.diff` for each instance in `logs`, and the verdicts in
 * `results/results.json`, or a `report.json` for each instance. Throws CONFIGURATION_INVALID for anything else.
 */
export async function readPublished(place: string): Promise<Published> {
  const name = path.basename(path.resolve(place)).replace(/\.jsonl?$/, "");
  const found = await stat(place).catch(() => undefined);
  if (!found) throw refusal(`There are no results in ${place}.`);
  if (found.isFile()) return { name, patches: await readPredictions(place), grading: undefined };
  const file = await firstOf(place, ["all_preds.jsonl", "preds.json", "all_preds.json", "predictions.jsonl"]);
  const patches =
    file === undefined ? await readLogs(place, "patch.diff", (_, text) => text) : await readPredictions(file);
  if (patches.size === 0) {
    throw refusal(
      `${place} holds neither results of an evaluation nor predictions (all_preds.jsonl, preds.json, logs).`,
    );
  }
  return { name, patches: shortened(patches), grading: await readVerdicts(place, [...patches.keys()]) };
}

const refusal = (sentence: string) => new MagisError("CONFIGURATION_INVALID", sentence);

const shortened = (patches: ReadonlyMap<string, string>) =>
  new Map([...patches].map(([id, patch]) => [id, patch.length > LONGEST_PATCH ? "" : patch] as const));

async function firstOf(folder: string, names: readonly string[]): Promise<string | undefined> {
  for (const name of names) {
    const file = path.join(folder, name);
    if ((await stat(file).catch(() => undefined))?.isFile()) return file;
  }
  return undefined;
}

async function readPredictions(file: string): Promise<ReadonlyMap<string, string>> {
  const rows = rowsOf(await readBounded(file));
  const read = z.array(predictionShape).safeParse(rows);
  if (!read.success) throw refusal(`${file} holds no SWE-bench predictions: instance_id and model_patch.`);
  return shortened(new Map(read.data.map(({ instance_id, model_patch }) => [instance_id, model_patch ?? ""])));
}

/** JSON lines, a list, or an object by instance. */
function rowsOf(source: string): unknown {
  const whole = parsed(source);
  if (Array.isArray(whole)) return whole;
  if (whole !== null && typeof whole === "object" && !("instance_id" in whole)) {
    return Object.entries(whole).map(([id, one]) => ({ instance_id: id, ...(one as object) }));
  }
  return source.split("\n").flatMap((line) => (line.trim() === "" ? [] : [parsed(line)]));
}

function parsed(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}

async function readBounded(file: string): Promise<string> {
  const { size } = await stat(file);
  if (size > LARGEST) throw refusal(`${file} is too large to be read: ${size} bytes.`);
  return readFile(file, "utf8");
}

const listsShape = z.record(z.string(), z.unknown());

const ids = z.array(z.string());

/** Where an instance was not graded: the harness's names for no prediction and no log. */
const UNGRADED = ["no_generation", "no_logs"];

async function readVerdicts(folder: string, submitted: readonly string[]): Promise<Grading | undefined> {
  const file = await firstOf(folder, [path.join("results", "results.json"), "results.json"]);
  if (file === undefined) return readReports(folder);
  const lists = listsShape.safeParse(lenient(await readBounded(file))).data ?? {};
  const resolved = ids.safeParse(lists.resolved ?? lists.resolved_ids).data;
  if (!resolved) throw refusal(`${file} does not say which instances are resolved.`);
  const ungraded = new Set(UNGRADED.flatMap((name) => ids.safeParse(lists[name]).data ?? []));
  const graded = submitted.filter((id) => !ungraded.has(id));
  return new Map([...graded, ...resolved].map((id) => [id, resolved.includes(id)]));
}

/**
 * Parses JSON; where it is not quite JSON (a published file ends its lists with commas), parses it as YAML, which
 * allows that.
 */
function lenient(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return parse(source, { maxAliasCount: 0 });
  }
}

async function readReports(folder: string): Promise<Grading | undefined> {
  const reports = await readLogs(folder, "report.json", (id, text) => {
    const report = z.record(z.string(), z.looseObject({ resolved: z.boolean() })).safeParse(parsed(text));
    return report.data?.[id]?.resolved;
  });
  return reports.size > 0 ? reports : undefined;
}

/** One file of each instance's folder in `logs`. */
async function readLogs<T>(
  folder: string,
  name: string,
  read: (id: string, text: string) => T | undefined,
): Promise<ReadonlyMap<string, T>> {
  const entries = await readdir(path.join(folder, "logs"), { withFileTypes: true }).catch(() => []);
  const found = new Map<string, T>();
  for (const entry of entries) {
    if (!entry.isDirectory()) continue;
    const file = path.join(folder, "logs", entry.name, name);
    if (!(await stat(file).catch(() => undefined))?.isFile()) continue;
    const value = read(entry.name, await readBounded(file));
    if (value !== undefined) found.set(entry.name, value);
  }
  return found;
}
