// The whole evaluation over the smoke instances with a scripted model: npm run eval:smoke -- [FOLDER]
// Builds the repositories, runs `npm run eval` as a user would, grades by the instances' own tests, and ends with 1 when the
// results are not those that the scripted answers must give. Without FOLDER everything is made in a temporary one, and the
// report and all results are kept in build/eval/smoke-results.
import { existsSync } from "node:fs";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { leaveNothing } from "../test/leave-nothing/leave-nothing.ts";
import { startScriptedModel } from "../test/scripted-model/start-scripted-model.ts";
import { projectRoot } from "../test/world/project-root.ts";
import { buildInstances } from "./build-instances.ts";
import { checkSmokeResults } from "./check-smoke-results.ts";
import { readSmokeFolders } from "./read-smoke-folders.ts";
import { runEvalAlone } from "./run-eval-alone.ts";
import { smokeScript } from "./smoke-script.ts";

await leaveNothing("smoke");

const KEPT = join(projectRoot(), "build", "eval", "smoke-results");

/** What the evaluation has written so far, kept in place of what an earlier one has left; also when it failed. */
async function keepResults(output: string): Promise<void> {
  if (!existsSync(output)) return;
  await rm(KEPT, { recursive: true, force: true });
  await cp(output, KEPT, { recursive: true });
}

async function main(folder: string): Promise<void> {
  const folders = await readSmokeFolders();
  const { instancesFile, mirrors } = await buildInstances(folder);
  const model = await startScriptedModel({ answer: smokeScript(folders) });
  const output = resultsIn(folder);
  try {
    const grader = [process.execPath, join(projectRoot(), "build", "eval", "grade.js")].map((word) => `'${word}'`);
    const grade = `${grader.join(" ")} --instances {instances} --mirrors '${mirrors}' --output {results} {predictions}`;
    const words = ["--instances", instancesFile, "--mirrors", mirrors, "--fresh"];
    await runEvalAlone(folder, model.url, [...words, "--output", output, "--judge", "--grade", grade]);
    const results: unknown = JSON.parse(await readFile(join(output, "results.json"), "utf8"));
    const faults = checkSmokeResults(results, folders);
    const paper = await runPaper(folder, { url: model.url, words, grade });
    faults.push(...model.faults, ...checkSmokeResults(paper, folders, MOST_OF_PAPER));
    if (faults.length > 0) throw new Error(faults.join("\n"));
    console.log(
      `All ${folders.length} instances came out as the script must make them, in both profiles (the model is scripted).`,
    );
  } finally {
    await model.stop();
  }
}

/** Calls one after another that the paper's form may take for the smoke instances, meeting included. */
const MOST_OF_PAPER = 40;

/** One condition of the profile `paper`: Algorithm 1 to the letter, with the memory kept. */
async function runPaper(
  folder: string,
  { url, words, grade }: { url: string; words: readonly string[]; grade: string },
): Promise<unknown> {
  const output = join(folder, "results-paper");
  const paper = ["--profile", "paper", "--locate", "paper", "--memory", "--output", output];
  await runEvalAlone(folder, url, [...words, ...paper, "--grade", grade]);
  return JSON.parse(await readFile(join(output, "results.json"), "utf8"));
}

function resultsIn(folder: string): string {
  return join(folder, "results");
}

const [given] = process.argv.slice(2);
const folder = given === undefined ? await mkdtemp(join(tmpdir(), "magis-smoke-")) : resolve(given);
try {
  await main(folder);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  const output = resultsIn(folder);
  if (given === undefined) await keepResults(output);
  const report = join(given === undefined ? KEPT : output, "report.md");
  if (existsSync(report)) console.log(`The report is in ${report}`);
  if (given === undefined) await rm(folder, { recursive: true, force: true });
}
