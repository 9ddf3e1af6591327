import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { MagisError } from "../../model/magis-error.ts";
import { type Grading, parseGrading } from "./parse-grading.ts";

/** Runs a shell command with these files to read and write; gives its exit code. What it prints is for people. */
export type RunGrader = (command: string, files: GraderFiles, signal: AbortSignal) => Promise<number>;

export interface GraderFiles {
  readonly predictions: string;
  /** "" when it is not known */
  readonly instances: string;
  /** which the command writes */
  readonly results: string;
}

/**
 * What a grader says of the predictions: the file that `results` names, or what the command `grade` writes.
 * Throws CONFIGURATION_INVALID when the file cannot be read or understood, or the command wrote none.
 */
export async function gradePredictions(
  given: {
    readonly results?: string | undefined;
    readonly grade?: string | undefined;
    readonly instances?: string | undefined;
  },
  deps: { readonly folder: string; readonly ids: readonly string[]; readonly runGrader: RunGrader },
  signal: AbortSignal,
): Promise<Grading | undefined> {
  if (given.results !== undefined) return readGrading(given.results, deps.ids);
  if (given.grade === undefined) return undefined;
  const place = (name: string) => path.resolve(deps.folder, name);
  const files = { predictions: place("predictions.jsonl"), results: place("graded.json") };
  await rm(files.results, { force: true });
  const instances = given.instances === undefined ? "" : path.resolve(given.instances);
  const exitCode = await deps.runGrader(given.grade, { ...files, instances }, signal);
  signal.throwIfAborted();
  try {
    return await readGrading(files.results, deps.ids);
  } catch (error) {
    const sentence = `The grading command ended with ${exitCode} and left no result that could be read.`;
    throw new MagisError("CONFIGURATION_INVALID", sentence, { exitCode }, error);
  } finally {
    await rm(files.results, { force: true });
  }
}

async function readGrading(file: string, ids: readonly string[]): Promise<Grading> {
  const written = await readFile(file, "utf8").catch((error: unknown) => {
    throw new MagisError("CONFIGURATION_INVALID", `The file ${file} could not be read.`, {}, error);
  });
  const grading = parseGrading(written, ids);
  if (grading) return grading;
  const forms = `{"resolved_ids": […]}, {"resolved": […]} or {"ID": {"resolved": true}}`;
  throw new MagisError("CONFIGURATION_INVALID", `The file ${file} is no grader's result: it should be ${forms}.`);
}
