import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { MagisError } from "../../../src/data/error.ts";

const verdict = z.union([z.boolean(), z.looseObject({ resolved: z.boolean(), skipped: z.string().optional() })]);

const ids = z.array(z.string());

const listed = z.looseObject({ resolved_ids: ids.optional(), resolved: ids.optional() });

/** By instance id: whether it is resolved. */
export type Grading = ReadonlyMap<string, boolean>;

/**
 * Reads what a grader says, as JSON: `{"resolved_ids": [id, …]}` and `{"resolved": [id, …]}` as the official harness's
 * reports have it, `{id: {"resolved": true, …}}` as its instance reports have it, or `{id: true}`. In the first two forms
 * an id of `submitted_ids` or `completed_ids` (or of `asked`, where these are missing) that is not listed is not resolved.
 * An instance with a `skipped` reason was not graded. Undefined when it is none of these.
 */
export function parseGrading(source: string, asked: readonly string[]): Grading | undefined {
  let data: unknown;
  try {
    data = JSON.parse(source);
  } catch {
    return undefined;
  }
  const lists = listed.safeParse(data);
  const resolved = lists.data?.resolved_ids ?? lists.data?.resolved;
  if (resolved) {
    const among = z.looseObject({ submitted_ids: ids.optional(), completed_ids: ids.optional() }).safeParse(data).data;
    const graded = among?.submitted_ids ?? among?.completed_ids ?? asked;
    return new Map([...graded, ...resolved].map((id) => [id, resolved.includes(id)]));
  }
  const each = z.record(z.string(), verdict).safeParse(data);
  if (!each.success) return undefined;
  return new Map(
    Object.entries(each.data).flatMap(([id, one]) => {
      if (typeof one === "boolean") return [[id, one] as const];
      return one.skipped === undefined ? [[id, one.resolved] as const] : [];
    }),
  );
}

/** Runs a shell command that reads and writes these files. Gives its exit code. */
export type RunGrader = (command: string, files: GraderFiles, signal: AbortSignal) => Promise<number>;

export interface GraderFiles {
  predictions: string;
  /** "" when it is not known */
  instances: string;
  /** which the command writes */
  results: string;
}

/**
 * Runs the command `grade` on the predictions and reads its verdicts. Throws CONFIGURATION_INVALID when it leaves no
 * readable result.
 */
export async function runGrading(
  grade: string,
  given: {
    folder: string;
    /** the file of predictions in the folder */
    predictions: string;
    instances: string | undefined;
    ids: readonly string[];
    runGrader: RunGrader;
  },
  signal: AbortSignal,
): Promise<Grading> {
  const place = (name: string) => path.resolve(given.folder, name);
  const instances = given.instances === undefined ? "" : path.resolve(given.instances);
  const files = { predictions: place(given.predictions), instances, results: place("graded.json") };
  await rm(files.results, { force: true });
  const exitCode = await given.runGrader(grade, files, signal);
  signal.throwIfAborted();
  try {
    return await readGrading(files.results, given.ids);
  } catch (error) {
    const sentence = `The grading command ended with ${exitCode} and left no result that could be read.`;
    throw new MagisError("CONFIGURATION_INVALID", sentence, { exitCode }, error);
  } finally {
    await rm(files.results, { force: true });
  }
}

/** A grader's result. Throws CONFIGURATION_INVALID when the file cannot be read or understood. */
export async function readGrading(file: string, ids: readonly string[]): Promise<Grading> {
  const written = await readFile(file, "utf8").catch((error: unknown) => {
    throw new MagisError("CONFIGURATION_INVALID", `The file ${file} could not be read.`, {}, error);
  });
  const grading = parseGrading(written, ids);
  if (grading) return grading;
  const forms = `{"resolved_ids": […]}, {"resolved": […]} or {"ID": {"resolved": true}}`;
  throw new MagisError("CONFIGURATION_INVALID", `The file ${file} is no grader's result: it should be ${forms}.`);
}
